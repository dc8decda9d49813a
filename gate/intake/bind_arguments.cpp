// Which tensor, axis or attribute each parameter gets: by const, by name, by order.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gate/base/text.h"
#include "gate/intake/draft.h"
#include "gate/intake/names.h"

namespace gate {
namespace {

struct Choice {
  std::string text;
  double score = 0;
};

constexpr std::size_t choices_max = 3;       // per parameter
constexpr std::size_t combinations_max = 8;  // per order of tensors

std::string product(const std::vector<Expression>& sizes, std::size_t from, std::size_t to) {
  std::vector<std::string> factors;
  for (std::size_t i = from; i < to; ++i) {
    const std::string& text = sizes[i].text();
    factors.push_back(text.find(' ') == std::string::npos ? text : "(" + text + ")");
  }
  return factors.empty() ? "1" : join(factors, " * ");
}

const TensorSchema& largest_output(const OpSchema& op) { return op.outputs.front(); }

std::string with_type(const std::string& text, const SourceParameter& parameter) {
  return parameter.dtype == DType::i64 ? text + ":i64" : text;
}

class Binder {
 public:
  explicit Binder(const DraftRequest& request) : function_(request.function), op_(request.op) {
    for (const SourceParameter& parameter : function_.parameters) {
      if (parameter.pointer) pointers_.push_back(&parameter);
      const bool number = !parameter.pointer && !parameter.stream && parameter.dtype;
      if (number && !facts(*parameter.dtype).is_float) integers_.push_back(&parameter);
      if (number && facts(*parameter.dtype).is_float) floats_.push_back(&parameter);
    }
  }

  std::vector<BoundArguments> run() {
    std::vector<BoundArguments> result;
    for (const SourceParameter& parameter : function_.parameters) {
      if (!parameter.pointer && !parameter.stream && !parameter.dtype) return {};
    }
    if (pointers_.size() != op_.inputs.size() + op_.outputs.size()) return {};
    for (const auto& [tensors, score] : tensor_orders()) {
      for (BoundArguments& bound : with_numbers(tensors)) {
        bound.score += score;
        result.push_back(std::move(bound));
      }
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    return result;
  }

 private:
  using Order = std::pair<std::vector<std::string>, double>;

  /// Assignments of tensors to pointers, best first. Inputs go to const pointers where there are
  /// as many of them as inputs.
  std::vector<Order> tensor_orders() const {
    std::vector<std::size_t> inputs, outputs;
    const auto constants = static_cast<std::size_t>(std::count_if(
        pointers_.begin(), pointers_.end(), [](const auto* one) { return one->constant; }));
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      const bool input = constants == op_.inputs.size()
                             ? pointers_[i]->constant
                             : inputs.size() < op_.inputs.size() && !names_output(i);
      (input ? inputs : outputs).push_back(i);
    }
    if (constants > op_.inputs.size() || inputs.size() != op_.inputs.size()) return {};
    std::vector<Order> orders;
    for (const auto& left : permutations(inputs, op_.inputs)) {
      for (const auto& right : permutations(outputs, op_.outputs)) {
        std::vector<std::string> tensors(pointers_.size());
        for (const auto& [place, name] : left.places) tensors[place] = name;
        for (const auto& [place, name] : right.places) tensors[place] = name;
        orders.emplace_back(std::move(tensors), left.score + right.score);
      }
    }
    std::stable_sort(orders.begin(), orders.end(),
                     [](const Order& a, const Order& b) { return a.second > b.second; });
    constexpr std::size_t orders_max = 6;
    if (orders.size() > orders_max) orders.resize(orders_max);
    return orders;
  }

  bool names_output(std::size_t i) const {
    return std::any_of(op_.outputs.begin(), op_.outputs.end(),
                       [&](const TensorSchema& tensor) {
                         return likeness(pointers_[i]->name, tensor.name) >= 2;
                       }) ||
           likeness(pointers_[i]->name, "output") >= 2;
  }

  struct Placing {
    std::vector<std::pair<std::size_t, std::string>> places;
    double score = 0;
  };

  std::vector<Placing> permutations(const std::vector<std::size_t>& places,
                                    const std::vector<TensorSchema>& tensors) const {
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Placing> result;
    constexpr std::size_t permuted_max = 4;
    do {
      Placing placing;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::string& name = tensors[order[i]].name;
        placing.places.emplace_back(places[i], name);
        placing.score += likeness(pointers_[places[i]]->name, name) + (order[i] == i ? 0.4 : 0);
      }
      result.push_back(std::move(placing));
    } while (order.size() <= permuted_max && std::next_permutation(order.begin(), order.end()));
    return result;
  }

  /// What an integer parameter may be, best first.
  std::vector<Choice> integer_choices(const SourceParameter& parameter, std::size_t number,
                                      const std::vector<std::string>& tensors) const {
    if (names_stride(parameter.name)) return stride_choices(parameter, tensors);
    std::vector<Choice> choices;
    const TensorSchema& output = largest_output(op_);
    for (std::size_t i = 0; i < op_.axes.size(); ++i) {
      const double near = number == i ? 0.5 : 0;
      choices.push_back(
          {op_.axes[i].name, 2.0 * likeness(parameter.name, op_.axes[i].name) + near});
    }
    const TensorSchema& input = op_.inputs.empty() ? output : op_.inputs.front();
    const bool total = names_total(parameter.name);
    for (const TensorSchema* tensor : {&output, &input}) {
      const std::size_t rank = tensor->shape.size();
      const double alone = integers_.size() == 1 ? 2.5 : 0;
      if (rank > 1) {
        choices.push_back({product(tensor->shape, 0, rank), total ? 1.5 + alone : alone - 1});
        choices.push_back({product(tensor->shape, 0, rank - 1), rank > 2 ? 1.5 : 0});
      }
    }
    for (const Attribute& attribute : op_.attributes) {
      if (facts(attribute.dtype).is_float) continue;
      choices.push_back({attribute.name, 2.0 * likeness(parameter.name, attribute.name) - 0.5});
    }
    return best(std::move(choices));
  }

  std::vector<Choice> stride_choices(const SourceParameter& parameter,
                                     const std::vector<std::string>& tensors) const {
    std::vector<Choice> choices;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const TensorSchema& tensor = *find_tensor(op_, tensors[t]);
      const std::string& pointer = pointers_[t]->name;
      const double near = parameter.name.find(pointer) != std::string::npos ? 2 : 0;
      for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const bool digit = parameter.name.find(std::to_string(d)) != std::string::npos;
        const bool row = d == 0 && likeness(parameter.name, "row_stride") == 2;
        choices.push_back({fmt::format("{}.stride({})", tensor.name, d),
                           near + (digit || row ? 1 : 0) + (d == 0 ? 0.2 : 0)});
      }
    }
    return best(std::move(choices));
  }

  static std::vector<Choice> best(std::vector<Choice> choices) {
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.score > b.score; });
    std::vector<Choice> kept;
    for (Choice& choice : choices) {
      const bool known = std::any_of(kept.begin(), kept.end(),
                                     [&](const Choice& one) { return one.text == choice.text; });
      if (!known && kept.size() < choices_max) kept.push_back(std::move(choice));
    }
    return kept;
  }

  /// Attributes for the float parameters, in order and by name; nothing if they do not fit.
  std::optional<std::vector<std::string>> float_texts() const {
    std::vector<const Attribute*> left;
    for (const Attribute& attribute : op_.attributes) {
      if (facts(attribute.dtype).is_float) left.push_back(&attribute);
    }
    std::vector<std::string> texts;
    for (const SourceParameter* parameter : floats_) {
      if (left.empty()) return std::nullopt;
      const auto at = std::max_element(left.begin(), left.end(), [&](auto* a, auto* b) {
        return likeness(parameter->name, a->name) < likeness(parameter->name, b->name);
      });
      const bool same = (*at)->dtype == *parameter->dtype;
      texts.push_back(same ? (*at)->name
                           : fmt::format("{}:{}", (*at)->name, facts(*parameter->dtype).name));
      left.erase(at);
    }
    return texts;
  }

  struct Combination {
    std::vector<std::string> texts;
    double score = 0;
  };

  std::vector<Combination> integer_combinations(const std::vector<std::string>& tensors) const {
    std::vector<Combination> all = {{}};
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      std::vector<Combination> longer;
      for (const Choice& choice : integer_choices(*integers_[i], i, tensors)) {
        for (const Combination& one : all) {
          Combination next = one;
          const bool again = std::count(next.texts.begin(), next.texts.end(), choice.text) > 0;
          next.score += choice.score - (again ? 3 : 0);
          next.texts.push_back(choice.text);
          longer.push_back(std::move(next));
        }
      }
      std::stable_sort(longer.begin(), longer.end(),
                       [](const auto& a, const auto& b) { return a.score > b.score; });
      constexpr std::size_t beam = 64;
      if (longer.size() > beam) longer.resize(beam);
      all = std::move(longer);
    }
    if (all.size() > combinations_max) all.resize(combinations_max);
    return all;
  }

  std::vector<BoundArguments> with_numbers(const std::vector<std::string>& tensors) const {
    const auto floats = float_texts();
    if (!floats) return {};
    std::vector<BoundArguments> result;
    for (const Combination& one : integer_combinations(tensors)) {
      BoundArguments bound;
      bound.tensors = tensors;
      bound.score = one.score;
      std::size_t pointer = 0, integer = 0, real = 0;
      for (const SourceParameter& parameter : function_.parameters) {
        if (parameter.stream) {
          bound.texts.push_back("stream");
        } else if (parameter.pointer) {
          bound.texts.push_back(tensors[pointer++]);
        } else if (facts(*parameter.dtype).is_float) {
          bound.texts.push_back((*floats)[real++]);
        } else {
          bound.strides = bound.strides || one.texts[integer].find(".stride(") != std::string::npos;
          bound.texts.push_back(with_type(one.texts[integer++], parameter));
        }
      }
      result.push_back(std::move(bound));
    }
    return result;
  }

  const SourceFunction& function_;
  const OpSchema& op_;
  std::vector<const SourceParameter*> pointers_, integers_, floats_;
};

}  // namespace

std::vector<BoundArguments> bind_arguments(const DraftRequest& request) {
  return request.source.python ? bind_python(request) : Binder(request).run();
}

}  // namespace gate
