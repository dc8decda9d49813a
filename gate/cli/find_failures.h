// From red verdicts to findings: shrunk, confirmed in fresh workers, explained, numbered and named
// against the committed seeds. One bug is one finding: what an explanation accounts for is its.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/cli/target_plan.h"

namespace gate {

/// Red results that look like one bug.
struct FailureGroup {
  Kind kind = Kind::wrong;
  std::string property, pattern;
  std::vector<std::size_t> members;  // indices into the judged entries, in plan order
  int finding = -1;                  // index into the findings, -1: not shrunk
  bool unreproduced = false;         // failed in the plan, in no fresh worker
};
std::vector<FailureGroup> group_failures(const std::vector<Judged>& judged);

/// Each group's failures as findings: a failing case that no earlier finding accounts for (its
/// conditions do not hold there, or its pattern does not) becomes one of its own, shrunk without
/// slipping into an earlier one. Splits groups by the finding that answers for each member, and
/// fills in `finding` or `unreproduced`.
std::vector<Finding> find_failures(Evidence& evidence, const TargetPlan& plan,
                                   const CheckOptions& options, const std::vector<Judged>& judged,
                                   std::vector<FailureGroup>& groups);
/// One failing case as a finding; nothing if no fresh worker reproduces it. Candidates that one of
/// `earlier` accounts for are not followed.
std::optional<Finding> find_failure(Evidence& evidence, const CheckOptions& options,
                                    const Judged& failing, const std::vector<Finding>& earlier);
/// The finding that accounts for a failure, or -1.
int answering(Evidence& evidence, const std::vector<Finding>& findings, const Judged& failing);
/// Equal in sizes, attributes and layouts, whatever the values.
bool same_form(const Case& left, const Case& right);
/// Gives the finding its number, novelty and origin, reports it, and appends it; the same one that
/// is there already answers for it. Returns its index.
int add_finding(std::vector<Finding>& findings, Finding finding, const TargetPlan& plan,
                const CheckOptions& options);
/// Fresh workers that a failure is confirmed in.
int attempts_for(const Judged& failing, const CheckOptions& options);
/// Answers once for a failure that depends on timing only after several runs.
BaseAnswer base_answer(const Judged& failing, bool flaky, const CheckOptions& options);

}  // namespace gate
