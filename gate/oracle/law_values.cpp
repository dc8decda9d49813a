// Laws about values and layout: shift, power-of-two scale, padding.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gate/oracle/law_subject.h"

namespace gate {
namespace {

constexpr double magnitude_of_scaling = 0x1p30;  // within it no product of two leaves f32's range

const TensorSchema* first_float(const LawSubject& subject) {
  for (const TensorSchema& schema : subject.op.inputs) {
    const Tensor* tensor = find_tensor(subject.base, schema.name);
    if (tensor != nullptr && facts(tensor->dtype).is_float && !schema.shape.empty()) return &schema;
  }
  return nullptr;
}

bool same_shape(const TensorSchema& a, const TensorSchema& b) {
  return std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
                    [](const Expression& x, const Expression& y) { return x.text() == y.text(); });
}

double legal_largest(const Tensor& tensor, const Contract& contract) {
  const double largest = facts(tensor.dtype).largest;
  return contract.magnitude_max > 0 ? std::min(contract.magnitude_max, largest) : largest;
}

/// Power of two not below the largest finite magnitude of elements [from, from + count).
double power_above(const Tensor& tensor, std::int64_t from, std::int64_t count) {
  double largest = 0;
  for (std::int64_t i = from; i < from + count; ++i) {
    const double value = std::abs(tensor.at(i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  if (largest == 0) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, exponent);
}

/// Smallest non-zero and largest magnitude; nothing if something is not finite.
std::optional<std::pair<double, double>> magnitudes(const Tensor& tensor) {
  double smallest = 0, largest = 0;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    const double value = std::abs(tensor.at(i));
    if (!std::isfinite(value)) return std::nullopt;
    if (value == 0) continue;
    smallest = smallest == 0 ? value : std::min(smallest, value);
    largest = std::max(largest, value);
  }
  return std::pair(smallest, largest);
}

/// Another layout of the same tensor: contiguous if it is not, else the first padded one allowed.
std::optional<TensorChoice> other_layout(const TensorSchema& schema, const TensorChoice& choice,
                                         std::int64_t elements_apart) {
  TensorChoice result = choice;
  if (choice.layout != "contiguous") {
    result.layout = "contiguous";
    result.padding = 0;
    result.step = 1;
    result.offset = 0;
    return result;
  }
  for (const std::string layout : {"row_pitch", "strided", "offset"}) {
    if (std::find(schema.layouts.begin(), schema.layouts.end(), layout) == schema.layouts.end()) {
      continue;
    }
    result.layout = layout;
    if (layout == "row_pitch") result.padding = elements_apart;
    if (layout == "strided") result.step = 2;
    if (layout == "offset") result.offset = elements_apart;
    return result;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LawRun> shift_invariant(const LawSubject& subject) {
  const TensorSchema* schema = first_float(subject);
  if (schema == nullptr) return std::nullopt;
  LawRun run{subject.base, subject.base, same_elements(subject.base), 0, false};
  Tensor& low = *find_tensor(*run.base, schema->name);
  Tensor& high = *find_tensor(run.transformed, schema->name);
  const double limit = legal_largest(low, subject.op.contract) / 4;
  const std::int64_t row_length = low.view.shape.back();
  for (std::int64_t start = 0; row_length > 0 && start < low.elements(); start += row_length) {
    // Rounding x + shift first and subtracting again makes both sides exact shifts of each other.
    const double shift = power_above(low, start, row_length);
    if (shift > limit) return std::nullopt;
    for (std::int64_t i = start; i < start + row_length; ++i) {
      if (!std::isfinite(low.at(i))) continue;
      high.set(i, low.at(i) + shift);
      low.set(i, high.at(i) - shift);
      if (low.at(i) + shift != high.at(i)) return std::nullopt;
    }
  }
  return run;
}

std::optional<LawRun> scale_by_power_of_two(const LawSubject& subject) {
  const TensorSchema* first = first_float(subject);
  if (first == nullptr) return std::nullopt;
  LawRun run{std::nullopt, subject.base, same_elements(subject.base), 0, is_bitwise(subject.op)};
  bool up = true, down = true;
  for (const TensorSchema& schema : subject.op.inputs) {
    const Tensor& tensor = *find_tensor(subject.base, schema.name);
    if (!facts(tensor.dtype).is_float) continue;
    const auto range = magnitudes(tensor);
    if (!range) return std::nullopt;
    const double smallest_legal =
        std::max(facts(tensor.dtype).normal_min, 1 / magnitude_of_scaling);
    const double largest_legal =
        std::min(legal_largest(tensor, subject.op.contract) / 4, magnitude_of_scaling);
    if (range->second > largest_legal) return std::nullopt;
    if (range->second != 0 && range->first < smallest_legal) return std::nullopt;
    up = up && range->second * 8 <= largest_legal;
    down = down && range->first >= smallest_legal * 8;
  }
  if (!up && !down) return std::nullopt;
  run.exponent = up ? 3 : -3;
  // Jointly linear inputs (a + b) share the shape; factors of a product (a · b) do not.
  for (const TensorSchema& schema : subject.op.inputs) {
    Tensor& tensor = *find_tensor(run.transformed, schema.name);
    if (!facts(tensor.dtype).is_float || !same_shape(schema, *first)) continue;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      tensor.set(i, std::ldexp(tensor.at(i), run.exponent));
    }
  }
  return run;
}

std::optional<LawRun> padding_invariant(const LawSubject& subject) {
  Case changed = subject.test_case;
  bool any = false;
  for (const TensorSchema& schema : subject.op.inputs) {
    const auto choice = changed.tensors.find(schema.name);
    const Tensor* tensor = find_tensor(subject.base, schema.name);
    if (choice == changed.tensors.end() || tensor == nullptr || schema.shape.empty()) continue;
    const auto bytes = static_cast<std::int64_t>(facts(tensor->dtype).bytes);
    const std::int64_t apart = std::max<std::int64_t>(3, subject.kernel.alignment / bytes);
    const auto other = other_layout(schema, choice->second, apart);
    if (!other) continue;
    choice->second = *other;
    any = true;
  }
  if (!any) return std::nullopt;
  std::optional<Inputs> transformed = inputs_of(changed, subject);
  if (!transformed) return std::nullopt;
  for (const TensorSchema& schema : subject.op.inputs) {
    const Tensor* base = find_tensor(subject.base, schema.name);
    copy_elements(*find_tensor(*transformed, schema.name), *base, [](std::int64_t i) { return i; });
  }
  LawRun run;
  run.base_element = same_elements(*transformed);
  run.transformed = std::move(*transformed);
  run.bitwise = is_bitwise(subject.op);
  return run;
}

}  // namespace gate
