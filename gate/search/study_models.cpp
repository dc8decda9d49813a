// Which differences of a bug could be seen at all: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_models.h"

#include <cmath>

#include "gate/oracle/element.h"

namespace gate {
namespace {

/// 0 finite, 1 NaN, 2 and 3 infinities, after the final store.
int class_of(DType dtype, double value) {
  const double stored = rounded(dtype, value);
  if (std::isnan(stored)) return 1;
  if (std::isinf(stored)) return std::signbit(stored) ? 3 : 2;
  return 0;
}

bool differs(const ElementRule& rule, double buggy, double right) {
  const int expected = class_of(rule.dtype, right);
  if (class_of(rule.dtype, buggy) != expected) return true;
  if (expected != 0) return false;
  return !(std::abs(buggy - right) <= rule.unit * std::abs(right) + rule.floor);
}

}  // namespace

const BugModel* find_bug_model(const std::string& op, const std::string& kernel) {
  static const std::vector<const BugModel*> table = bug_model_table();
  for (const BugModel* model : table) {
    if (op == model->op && kernel == model->kernel) return model;
  }
  return nullptr;
}

Visible visible_difference(const Expected& buggy, const Expected& right, const OpSchema& op,
                           const std::string& column) {
  Visible visible;
  for (std::size_t o = 0; o < right.outputs.size() && o < buggy.outputs.size(); ++o) {
    const ExpectedTensor& want = right.outputs[o];
    const ElementRule rule =
        element_rule(dtype_of(op, column, want.name), Tolerance(), op.contract);
    for (std::size_t i = 0; i < want.value.size(); ++i) {
      const bool open = !want.free.empty() && want.free[i] != 0;
      const bool any = std::isnan(want.value[i]) && rule.any_for_nan;
      if (open || any || !differs(rule, buggy.outputs[o].value[i], want.value[i])) continue;
      visible.anywhere = true;
      const bool known = std::isfinite(want.envelope[i]) || !std::isfinite(want.value[i]);
      if (!known) continue;
      visible.judgeable = true;
      ++visible.elements;
    }
  }
  return visible;
}

}  // namespace gate
