// Simpler values: a simpler profile for an input, then few explicit elements with simple numbers.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gate/cases/cost.h"
#include "gate/cases/fill.h"
#include "gate/cases/shrink.h"

namespace gate {
namespace {

// Beyond this many elements a list of them explains less than the profile's name.
constexpr std::int64_t explicit_elements_max = 64;
constexpr std::size_t listed_elements_max = 8;
// Parts of a list that are tried alone; finer ones are reached from a part that failed.
constexpr std::size_t parts_max = 8;

bool is_float_input(const ShrinkContext& context, const std::string& name) {
  return facts(dtype_of(context.op, context.value.column, name)).is_float;
}

std::string constant_one(DType dtype) {
  std::byte element[8] = {};
  store(dtype, 1.0, element);
  return profile_text("constant", fmt::format("{:#x}", load_bits(dtype, element)));
}

/// Simpler profiles worth a run, simplest first.
std::vector<std::string> simpler_texts(const TensorSchema& tensor, DType dtype,
                                       const std::string& now) {
  std::vector<std::string> texts;
  const auto parsed = parse_profile(now);
  if (!parsed) return texts;
  const std::size_t rank = simplicity(parsed->facts->name);
  for (const char* name :
       {"zeros", "constant", "small_integers", "normal", "lowest", "ramp", "uniform"}) {
    const ProfileFacts* profile = find_profile(name);
    const bool fits = facts(dtype).is_float ? profile->floats : profile->integers;
    if (!fits || !profile_allowed(tensor, *profile, dtype) || simplicity(name) >= rank) continue;
    const bool one = std::string_view(name) == "constant" && facts(dtype).is_float;
    texts.push_back(one ? constant_one(dtype) : profile_text(name));
  }
  return texts;
}

/// Complexity of a value: 0 for zero, then 1, then by significant bits.
int complexity(double value) {
  if (value == 0 && !std::signbit(value)) return 0;
  if (value == 1) return 1;
  if (!std::isfinite(value)) return 200;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction = bits & ((1ull << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const int significant = fraction == 0 ? 0 : 52 - std::countr_zero(fraction);
  return 2 + significant * 2 + std::min(std::abs(exponent), 60) + ((bits >> 63) != 0 ? 1 : 0);
}

/// Simpler numbers near a value: 1, its sign, its power of two, two significant bits.
std::vector<double> simpler_numbers(double value) {
  std::vector<double> numbers = {1.0};
  if (std::isfinite(value) && value != 0) {
    const double sign = value < 0 ? -1.0 : 1.0;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    numbers.push_back(sign);
    numbers.push_back(2.0 * sign);
    numbers.push_back(std::bit_cast<double>(bits & (0xfffull << 52)));
    numbers.push_back(std::bit_cast<double>(bits & (0x1fffull << 51)));
    numbers.push_back(std::bit_cast<double>(bits & (0xfffffull << 44)));
  }
  std::erase_if(numbers, [&](double number) { return complexity(number) >= complexity(value); });
  return numbers;
}

/// The elements of an input as they are now, in logical order.
std::vector<ElementOverride> elements_of(const Tensor& tensor) {
  std::vector<ElementOverride> elements;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) elements.push_back({i, tensor.bits_at(i)});
  return elements;
}

class ValueStage {
 public:
  ValueStage(const ShrinkContext& context, std::string name)
      : context_(context),
        name_(std::move(name)),
        dtype_(dtype_of(context.op, context.value.column, name_)) {}

  void add_to(std::vector<Case>& list, const Tensor& tensor) {
    const TensorChoice& choice = context_.value.tensors.at(name_);
    const bool sparse = choice.profile == profile_text("zeros");
    elements_ = sparse ? choice.elements : elements_of(tensor);
    std::erase_if(elements_, [](const ElementOverride& element) { return element.bits == 0; });
    if (elements_.empty()) return;
    for (std::size_t parts = 2; parts <= parts_max; parts *= 2) keep_parts(list, parts);
    if (!sparse) return;
    for (std::size_t i = 0; i < elements_.size(); ++i) drop(list, i);
    numbers(list);
  }

 private:
  void propose(std::vector<Case>& list, std::vector<ElementOverride> elements) const {
    Case candidate = context_.value;
    TensorChoice& choice = candidate.tensors[name_];
    choice.profile = profile_text("zeros");
    choice.elements = std::move(elements);
    list.push_back(std::move(candidate));
  }

  /// One of `parts` equal parts alone.
  void keep_parts(std::vector<Case>& list, std::size_t parts) const {
    const std::size_t length = (elements_.size() + parts - 1) / parts;
    if (length >= elements_.size() || length > listed_elements_max) return;
    for (std::size_t begin = 0; begin < elements_.size(); begin += length) {
      const auto first = elements_.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::size_t end = std::min(begin + length, elements_.size());
      propose(list, {first, elements_.begin() + static_cast<std::ptrdiff_t>(end)});
    }
  }

  void drop(std::vector<Case>& list, std::size_t number) const {
    std::vector<ElementOverride> chosen = elements_;
    chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(number));
    propose(list, std::move(chosen));
  }

  void numbers(std::vector<Case>& list) const {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      std::byte element[8] = {};
      store_bits(dtype_, elements_[i].bits, element);
      for (const double number : simpler_numbers(load(dtype_, element))) {
        std::vector<ElementOverride> changed = elements_;
        store(dtype_, number, element);
        changed[i].bits = load_bits(dtype_, element);
        propose(list, std::move(changed));
      }
    }
  }

  const ShrinkContext& context_;
  std::string name_;
  DType dtype_;
  std::vector<ElementOverride> elements_;
};

}  // namespace

std::size_t simplicity(std::string_view profile) {
  const auto& all = all_profiles();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(),
                   [&](const ProfileFacts& facts) { return facts.name == profile; }) -
      all.begin());
}

std::vector<Case> simpler_profiles(const ShrinkContext& context) {
  std::vector<Case> list;
  for (const TensorSchema& tensor : context.op.inputs) {
    const auto found = context.value.tensors.find(tensor.name);
    if (found == context.value.tensors.end() || !found->second.elements.empty()) continue;
    const DType dtype = dtype_of(context.op, context.value.column, tensor.name);
    for (const std::string& text : simpler_texts(tensor, dtype, found->second.profile)) {
      Case candidate = context.value;
      candidate.tensors[tensor.name].profile = text;
      list.push_back(std::move(candidate));
    }
  }
  return list;
}

std::vector<Case> simpler_values(const ShrinkContext& context) {
  std::vector<Case> list;
  const Inputs inputs = make_inputs(context.value, context.op, nullptr);
  for (const TensorSchema& tensor : context.op.inputs) {
    const Tensor* content = find_tensor(inputs, tensor.name);
    const bool zeros_allowed = profile_allowed(tensor, *find_profile("zeros"), content->dtype);
    if (!context.value.tensors.contains(tensor.name) || !zeros_allowed ||
        !is_float_input(context, tensor.name) || content->elements() > explicit_elements_max)
      continue;
    ValueStage(context, tensor.name).add_to(list, *content);
  }
  return list;
}

}  // namespace gate
