// The rule for one float element, in the order of oracle.md section 2.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/element.h"

#include <cmath>

namespace gate {
namespace {

/// Whether `got` is what a value of this sign beyond the dtype's range becomes.
bool is_overflow(const ElementRule& rule, double got, double sign_of) {
  if (rule.saturate && got == std::copysign(rule.largest, sign_of)) return true;
  if (!rule.has_infinity) return !rule.saturate && std::isnan(got);
  return std::isinf(got) && std::signbit(got) == std::signbit(sign_of);
}

ElementState failing(double got) {
  return std::isfinite(got) ? ElementState::wrong : ElementState::nonfinite;
}

ElementState exact_state(const ElementRule& rule, double got, double value) {
  const double want = rounded(rule.dtype, value);
  if (!std::isfinite(want)) {
    return is_overflow(rule, got, value) ? ElementState::match : failing(got);
  }
  if (rule.flushed_below > 0 && std::abs(want) < rule.flushed_below && got == 0) {
    return ElementState::match;
  }
  if (!(got == want)) return failing(got);
  const bool other_zero = want == 0 && std::signbit(got) != std::signbit(want);
  return rule.signed_zero && other_zero ? ElementState::wrong : ElementState::match;
}

}  // namespace

ElementRule element_rule(DType dtype, const Tolerance& tolerance, const Contract& contract) {
  const DTypeFacts& known = facts(dtype);
  const bool flushes = contract.flush_to_zero || contract.fast_math;
  ElementRule rule;
  rule.dtype = dtype;
  rule.unit = known.unit_roundoff * (contract.truncating_store ? 2 : 1);
  rule.floor = flushes ? known.normal_min : 2 * known.subnormal_min;
  rule.c = tolerance.c;
  rule.largest = known.largest;
  rule.overflow_from = known.largest * (1 + known.unit_roundoff);
  rule.flushed_below = flushes ? known.normal_min : 0;
  rule.has_infinity = known.has_infinity;
  rule.exact = tolerance.exact || !known.is_float;
  rule.saturate = contract.saturate;
  rule.signed_zero = contract.signed_zero;
  rule.any_for_nan = contract.nan == "any";
  return rule;
}

double limit_of(const ElementRule& rule, double value, double envelope) {
  if (rule.exact) return 0;
  const double widened = rule.c * envelope;
  return rule.unit * (std::abs(value) + widened) + rule.floor + widened;
}

ElementState state_of(const ElementRule& rule, double got, double value, double envelope) {
  if (std::isnan(value)) {
    return rule.any_for_nan || std::isnan(got) ? ElementState::match : ElementState::wrong;
  }
  if (std::isinf(value)) {
    return is_overflow(rule, got, value) ? ElementState::match : ElementState::wrong;
  }
  if (!std::isfinite(envelope) || envelope < 0) return ElementState::unjudgeable;
  if (rule.exact) return exact_state(rule, got, value);
  const double limit = limit_of(rule, value, envelope);
  const double magnitude = std::abs(value);
  if (magnitude - limit > rule.largest) {
    return is_overflow(rule, got, value) ? ElementState::match : failing(got);
  }
  if (magnitude + limit >= rule.overflow_from && is_overflow(rule, got, value)) {
    return ElementState::match;
  }
  // Negated on purpose: a NaN on either side must fail.
  if (!(std::abs(got - value) <= limit)) return failing(got);
  return ElementState::match;
}

}  // namespace gate
