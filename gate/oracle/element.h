// The rule for one element, resolved for a dtype, tolerance and contract: what compare() applies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/oracle/comparison.h"

namespace gate {

struct ElementRule {
  DType dtype = DType::f32;
  double unit = 0;   // roundoff of the final store; doubled where it may truncate
  double floor = 0;  // eta: what underflow may take away
  double c = 1;
  double largest = 0;        // MAX of the dtype
  double overflow_from = 0;  // MAX (1 + u): values from here on may round to infinity
  double flushed_below = 0;  // magnitudes below may become zero in exact columns; 0 none may
  bool has_infinity = true;
  bool exact = false;
  bool saturate = false;
  bool signed_zero = false;
  bool any_for_nan = false;  // contract: where the reference is NaN, anything goes
};

ElementRule element_rule(DType dtype, const Tolerance& tolerance, const Contract& contract);
double limit_of(const ElementRule& rule, double value, double envelope);
/// A float element; the order of the tests is part of the rule.
ElementState state_of(const ElementRule& rule, double got, double value, double envelope);

}  // namespace gate
