// Class of a (kernel, column).
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/classify.h"

#include <algorithm>

#include "gate/oracle/fixed_shape.h"

namespace gate {

bool illusion_rule_passed(const std::vector<FixedShapeResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const FixedShapeResult& result) {
    FixedShapeRule rule;
    rule.name = result.rule;
    return result.passed && decides_illusion(rule);
  });
}

Class classify(std::size_t findings, std::size_t greys, std::size_t judged,
               const std::vector<FixedShapeResult>& results) {
  if (findings > 0) return illusion_rule_passed(results) ? Class::illusion : Class::defect;
  return greys > 0 || judged == 0 ? Class::unchecked : Class::clean;
}

}  // namespace gate
