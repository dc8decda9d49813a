// Comparing a whole output: counts, the worst element, the calibration ratio, a common factor.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/oracle/element.h"
#include "gate/tensor/bulk.h"

namespace gate {
namespace {

/// What one element contributed, for the bookkeeping that floats and integers share.
struct Element {
  std::int64_t number = 0;
  ElementState state = ElementState::match;
  double got = 0, want = 0, limit = 0;
  bool rejects_zero = false;
};

/// Reads elements of a tensor; contiguous ones without the index arithmetic.
struct Reader {
  explicit Reader(const Tensor& from)
      : tensor(from), bytes(facts(from.dtype).bytes), dense(is_contiguous(from.view)) {}
  const std::byte* element(std::int64_t linear) const {
    const std::int64_t place = dense ? tensor.view.offset + linear : position(tensor.view, linear);
    return tensor.storage.data() + static_cast<std::size_t>(place) * bytes;
  }
  const Tensor& tensor;
  std::size_t bytes;
  bool dense;
};

/// Values of all elements, in logical order.
std::vector<double> values_of(const Reader& reader, DType dtype, std::int64_t elements) {
  const auto count = static_cast<std::size_t>(elements);
  if (reader.dense && count > 0) return load_all(dtype, reader.element(0), count);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = load(dtype, reader.element(static_cast<std::int64_t>(i)));
  }
  return values;
}

bool is_free(const ExpectedTensor& want, std::int64_t element) {
  const auto place = static_cast<std::size_t>(element);
  return place < want.free.size() && want.free[place] != 0;
}

/// How bad a failure is, to pick the worst: non-finite first, then by distance over limit.
double badness(const Element& element) {
  const double distance = std::abs(element.got - element.want);
  if (!std::isfinite(distance)) return std::numeric_limits<double>::infinity();
  return element.limit > 0 ? distance / element.limit : distance;
}

void record(Comparison& result, const Element& element, double& worst_badness) {
  if (element.rejects_zero) ++result.discriminating;
  if (element.state == ElementState::match) return;
  if (element.state == ElementState::unjudgeable) {
    ++result.unjudgeable;
    return;
  }
  const bool finite = element.state == ElementState::wrong;
  ++(finite ? result.wrong : result.nonfinite);
  if (result.failed.empty()) result.failed.assign(static_cast<std::size_t>(result.elements), 0);
  result.failed[static_cast<std::size_t>(element.number)] = finite ? 1 : 2;
  const double bad = badness(element);
  if (result.worst >= 0 && !(bad > worst_badness)) return;
  worst_badness = bad;
  result.worst = element.number;
  result.got = element.got;
  result.want = element.want;
  result.limit = element.limit;
}

/// Whether zero at this place would be rejected.
bool rejects_zero(const ElementRule& rule, double value, double limit) {
  if (std::isnan(value)) return !rule.any_for_nan;
  return std::abs(value) > limit;
}

/// The last clause of the rule, tried first because nearly every element ends there; false says
/// nothing. All values are finite here, so no earlier clause applies.
bool plainly_matches(const ElementRule& rule, const Element& element) {
  return !rule.exact && std::abs(element.got - element.want) <= element.limit &&
         std::abs(element.want) + element.limit < rule.overflow_from;
}

void compare_floats(Comparison& result, const Reader& reader, const ExpectedTensor& want,
                    const ElementRule& rule) {
  double worst_badness = 0;
  const std::vector<double> values = values_of(reader, rule.dtype, result.elements);
  for (std::int64_t i = 0; i < result.elements; ++i) {
    if (is_free(want, i)) continue;
    const auto place = static_cast<std::size_t>(i);
    const double value = want.value[place];
    const double envelope = want.envelope[place];
    Element element{i, ElementState::match, values[place], value, 0, false};
    if (std::isfinite(value)) element.limit = limit_of(rule, value, envelope);
    if (!plainly_matches(rule, element)) {
      element.state = state_of(rule, element.got, value, envelope);
    }
    if (element.state != ElementState::unjudgeable) {
      element.rejects_zero = rejects_zero(rule, value, element.limit);
    }
    if (element.state != ElementState::match) {
      record(result, element, worst_badness);
      continue;  // what fails says nothing of c
    }
    if (element.rejects_zero) ++result.discriminating;
    // Nor does what matched by another rule, as what saturated.
    const bool measures =
        !rule.exact && envelope > 0 && std::abs(element.got - value) <= element.limit;
    if (!measures) continue;
    const double beyond = std::abs(element.got - value) - rule.unit * std::abs(value) - rule.floor;
    if (!(beyond > 0)) continue;
    result.largest_ratio = std::max(result.largest_ratio, beyond / ((1 + rule.unit) * envelope));
  }
}

bool is_legal(const ExpectedTensor& want, std::int64_t element, std::int64_t got) {
  if (got == want.integers[static_cast<std::size_t>(element)]) return true;
  const auto others = want.also.find(element);
  if (others == want.also.end()) return false;
  return std::find(others->second.begin(), others->second.end(), got) != others->second.end();
}

void compare_integers(Comparison& result, const Reader& reader, const ExpectedTensor& want) {
  double worst_badness = 0;
  for (std::int64_t i = 0; i < result.elements; ++i) {
    if (is_free(want, i)) continue;
    const std::int64_t got = load_integer(reader.tensor.dtype, reader.element(i));
    const std::int64_t value = want.integers[static_cast<std::size_t>(i)];
    const ElementState state = is_legal(want, i, got) ? ElementState::match : ElementState::wrong;
    record(
        result,
        {i, state, static_cast<double>(got), static_cast<double>(value), 0, !is_legal(want, i, 0)},
        worst_badness);
  }
}

/// The factor that explains every judged element, if one does and there is more than noise to it.
std::optional<double> common_factor(const Comparison& result, const Reader& reader,
                                    const ExpectedTensor& want, const ElementRule& rule) {
  if (result.wrong == 0 || result.nonfinite > 0) return std::nullopt;
  std::int64_t largest = -1;
  for (std::int64_t i = 0; i < result.elements; ++i) {
    const double value = want.value[static_cast<std::size_t>(i)];
    if (result.failed[static_cast<std::size_t>(i)] == 0 || !std::isfinite(value)) continue;
    if (largest < 0 || std::abs(value) > std::abs(want.value[static_cast<std::size_t>(largest)])) {
      largest = i;
    }
  }
  if (largest < 0 || want.value[static_cast<std::size_t>(largest)] == 0) return std::nullopt;
  const double factor =
      load(rule.dtype, reader.element(largest)) / want.value[static_cast<std::size_t>(largest)];
  for (std::int64_t i = 0; i < result.elements; ++i) {
    const double value = want.value[static_cast<std::size_t>(i)];
    const double envelope = want.envelope[static_cast<std::size_t>(i)];
    if (is_free(want, i) || !std::isfinite(value) || !std::isfinite(envelope)) continue;
    const double limit = limit_of(rule, value, envelope) * (1 + std::abs(factor)) +
                         rule.unit * std::abs(factor * value);
    const double off = std::abs(load(rule.dtype, reader.element(i)) - factor * value);
    if (!(off <= limit)) return std::nullopt;
    // Where an element fails, the factor has to be why: noise beside it would be as good a reason.
    const bool fails = result.failed[static_cast<std::size_t>(i)] != 0;
    if (fails && off * 2 > std::abs((factor - 1) * value)) return std::nullopt;
  }
  return factor;
}

}  // namespace

double limit_of(double value, double envelope, DType out, const Tolerance& tolerance,
                const Contract& contract) {
  return limit_of(element_rule(out, tolerance, contract), value, envelope);
}

Comparison compare(const Tensor& got, const ExpectedTensor& want, const Tolerance& tolerance,
                   const Contract& contract) {
  Comparison result;
  result.output = got.name;
  result.shape = got.view.shape;
  result.elements = got.elements();
  const bool is_float = facts(got.dtype).is_float;
  const auto expected_elements =
      static_cast<std::int64_t>(is_float ? want.value.size() : want.integers.size());
  const bool complete = expected_elements == result.elements &&
                        (!is_float || want.envelope.size() == want.value.size());
  if (!complete) {  // a reference of another size says nothing: never green
    result.unjudgeable = result.elements;
    return result;
  }
  const Reader reader(got);
  if (!is_float) {
    compare_integers(result, reader, want);
    return result;
  }
  const ElementRule rule = element_rule(got.dtype, tolerance, contract);
  compare_floats(result, reader, want, rule);
  result.factor = common_factor(result, reader, want, rule);
  return result;
}

}  // namespace gate
