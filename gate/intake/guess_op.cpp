// Guessing an op: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/guess_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/intake/names.h"

namespace gate {
namespace {

constexpr std::int64_t fixed_sizes[] = {64, 256, 32, 16};

class Guess {
 public:
  Guess(const SourceReading& source, const SourceFunction& function)
      : source_(source), function_(function) {}

  Result<OpDraft> run() {
    collect();
    const Place place{source_.file.string(), function_.line, 0};
    if (inputs_.empty() || outputs_.empty()) {
      return user_failure(
          fmt::format("{}: inputs and outputs cannot be told apart", function_.name),
          "give inputs as const pointers, or write op.toml by hand", place);
    }
    draft_.name = join(words_of(function_.name), "_");
    if (draft_.name.empty()) draft_.name = join(words_of(source_.file.stem().string()), "_");
    if (draft_.name.empty()) draft_.name = "op";
    draft_.summary = "what " + function_.name + " computes";
    axes();
    for (const SourceParameter* parameter : inputs_) add(*parameter, draft_.inputs);
    for (const SourceParameter* parameter : outputs_) add(*parameter, draft_.outputs);
    columns();
    return std::move(draft_);
  }

 private:
  void collect() {
    std::vector<const SourceParameter*> pointers;
    bool any_constant = false;
    for (const SourceParameter& parameter : function_.parameters) {
      if (parameter.pointer) {
        pointers.push_back(&parameter);
        any_constant = any_constant || parameter.constant;
      } else if (parameter.dtype && facts(*parameter.dtype).is_float) {
        attribute(parameter);
      } else if (parameter.dtype && !names_stride(parameter.name)) {
        integers_.push_back(&parameter);
      }
    }
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      const bool output = any_constant ? !pointers[i]->constant : i + 1 == pointers.size();
      (output ? outputs_ : inputs_).push_back(pointers[i]);
    }
    if (!any_constant && pointers.size() > 1) {
      draft_.reasons.emplace_back("no pointer is const: the last one is taken for the output");
    }
  }

  void attribute(const SourceParameter& parameter) {
    const bool small = likeness(parameter.name, "eps") > 0;
    draft_.attributes.push_back({parameter.name, std::string(facts(*parameter.dtype).name),
                                 small ? "1e-5" : "1.0", small ? "1e-6, 1e-5" : "0.5, 1.0, 2.0"});
    draft_.reasons.push_back(parameter.name + ": an attribute, its values are guessed");
  }

  void axes() {
    std::vector<std::string> names;
    for (const SourceParameter* parameter : integers_) {
      const bool total = integers_.size() > 1 && names_total(parameter->name) &&
                         parameter->name.size() > 2 && likeness(parameter->name, "cols") == 0;
      if (!total) names.push_back(parameter->name);
    }
    if (names.empty()) names.emplace_back("n");
    const bool turned = names.size() == 2 &&
                        likeness(names[0], "cols") > likeness(names[0], "rows") &&
                        likeness(names[1], "rows") > likeness(names[1], "cols");
    order_ = names;
    if (turned) std::swap(order_[0], order_[1]);
    product_ = is_product(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::int64_t fixed = fixed_sizes[names.size() == 1 ? 1 : i % 4];
      draft_.axes.push_back({names[i], 1, 4096, fixed});
    }
    draft_.reasons.push_back("axes " + join(names, ", ") + ": the integer parameters");
  }

  static bool is_product(const std::vector<std::string>& names) {
    std::set<std::string> lower;
    for (std::string name : names) {
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      lower.insert(name);
    }
    return names.size() == 3 && lower == std::set<std::string>{"m", "n", "k"};
  }

  std::string axis_like(char letter) const {
    for (const std::string& name : order_) {
      if (std::tolower(static_cast<unsigned char>(name[0])) == letter) return name;
    }
    return order_.back();
  }

  void add(const SourceParameter& parameter, std::vector<TensorDraft>& tensors) {
    TensorDraft tensor;
    tensor.name = parameter.name;
    tensor.integer = parameter.dtype && !facts(*parameter.dtype).is_float;
    const bool input = &tensors == &draft_.inputs;
    if (input && names_row_vector(parameter.name) && order_.size() > 1 &&
        !(product_ && inputs_.size() < 3)) {
      tensor.shape = {product_ ? axis_like('n') : order_.back()};
    } else if (product_) {
      const bool first = draft_.inputs.empty(), second = draft_.inputs.size() == 1;
      tensor.shape = !input || (!first && !second) ? std::vector{axis_like('m'), axis_like('n')}
                     : first                       ? std::vector{axis_like('m'), axis_like('k')}
                                                   : std::vector{axis_like('k'), axis_like('n')};
    } else {
      tensor.shape = order_;
    }
    if (tensor.integer && input) tensor.below = order_.back();
    tensors.push_back(std::move(tensor));
  }

  void columns() {
    bool generic = false;
    for (const auto* list : {&inputs_, &outputs_}) {
      for (const SourceParameter* parameter : *list) generic = generic || !parameter->dtype;
    }
    if (generic) {
      draft_.columns = {"f32", "f16", "bf16"};
    } else {
      draft_.columns = {std::string(facts(*outputs_.front()->dtype).name)};
    }
    for (const std::string& column : draft_.columns) {
      auto& row = draft_.dtypes.emplace_back();
      for (const auto* list : {&inputs_, &outputs_}) {
        for (const SourceParameter* parameter : *list) {
          row.emplace_back(parameter->name,
                           parameter->dtype ? std::string(facts(*parameter->dtype).name) : column);
        }
      }
    }
  }

  const SourceReading& source_;
  const SourceFunction& function_;
  OpDraft draft_;
  std::vector<const SourceParameter*> inputs_, outputs_, integers_;
  std::vector<std::string> order_;
  bool product_ = false;
};

}  // namespace

Result<OpDraft> guess_op(const SourceReading& source, const SourceFunction& function) {
  return Guess(source, function).run();
}

}  // namespace gate
