// The rules, one function each.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_rules.h"

#include <algorithm>
#include <cmath>

#include "gate/oracle/contract.h"
#include "gate/oracle/fixed_shape.h"

namespace gate {
namespace {

/// A column without a tolerance of its own is held to the other one's: the corpus did so.
double absolute_for(const std::map<std::string, double>& table, const std::string& column,
                    double otherwise) {
  if (const auto row = table.find(column); row != table.end()) return row->second;
  return otherwise;
}

double hand_of(const RuleSubject& subject) {
  const auto& hand = subject.kernel.hand;
  return absolute_for(hand, subject.column, hand.empty() ? 0 : hand.begin()->second);
}

double calibrated_of(const RuleSubject& subject) {
  return absolute_for(subject.kernel.calibrated, subject.column, hand_of(subject));
}

/// The reference is rounded to the output's dtype first, as published.
bool absolute_fails(const RuleSubject& subject, double tolerance, bool nan_aware) {
  for (const ExpectedTensor& want : subject.expected.outputs) {
    const Tensor* got = find_output(subject.outcome, want.name);
    if (got == nullptr) return true;
    for (std::int64_t i = 0; i < got->elements(); ++i) {
      const double out = got->at(i);
      const double reference = rounded(got->dtype, want.value[static_cast<std::size_t>(i)]);
      if (nan_aware && std::isnan(out) && std::isnan(reference)) continue;
      if (nan_aware && std::isinf(out) && out == reference) continue;
      if (!std::isfinite(out) || !(std::abs(out - reference) <= tolerance)) return true;
    }
  }
  return false;
}

bool hand(const RuleSubject& subject) { return absolute_fails(subject, hand_of(subject), false); }
bool hand_nan_aware(const RuleSubject& subject) {
  return absolute_fails(subject, hand_of(subject), true);
}
bool calibrated(const RuleSubject& subject) {
  return absolute_fails(subject, calibrated_of(subject), false);
}

bool fixed_shape_fails(const RuleSubject& subject, std::string_view name) {
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    if (rule.name == name) return !fixed_shape_accepts(rule, subject.outcome, subject.expected);
  }
  return true;
}

bool kernelbench(const RuleSubject& subject) { return fixed_shape_fails(subject, "kernelbench"); }
bool kernelbench_v0(const RuleSubject& subject) {
  return fixed_shape_fails(subject, "kernelbench_v0");
}
bool assert_close(const RuleSubject& subject) { return fixed_shape_fails(subject, "assert_close"); }
bool paper(const RuleSubject& subject) { return fixed_shape_fails(subject, "paper"); }

}  // namespace

const std::vector<StudyRule>& all_study_rules() {
  static const std::vector<StudyRule> table = {
      {"hand", "published: one absolute tolerance per (op, dtype), NaN or Inf always fails", hand},
      {"hand_nan_aware", "the same, where the class must match the reference", hand_nan_aware},
      {"calibrated", "published: 1.5 x p95 of the errors of correct kernels, absolute", calibrated},
      {"allclose_1e-5_1e-2", "atol 1e-5, rtol 1e-2", paper},
      {"kernelbench", "atol = rtol = 1e-4 (f32), 1e-2 (f16)", kernelbench},
      {"kernelbench_v0", "atol = rtol = 1e-2", kernelbench_v0},
      {"assert_close", "torch.testing.assert_close, defaults", assert_close},
  };
  return table;
}

}  // namespace gate
