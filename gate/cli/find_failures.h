// From red verdicts to findings: one per (kind, property, pattern), shrunk, confirmed in fresh
// workers, explained, numbered and named against the committed seeds.
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

/// Fills in `finding` or `unreproduced` of every group it gets to.
std::vector<Finding> find_failures(Executor& executor, const TargetPlan& plan,
                                   const CheckOptions& options, const std::vector<Judged>& judged,
                                   std::vector<FailureGroup>& groups);
/// One failing case as a finding; nothing if no fresh worker reproduces it.
std::optional<Finding> find_failure(Executor& executor, const CheckOptions& options,
                                    const Judged& failing, const std::vector<Judged>& judged);
/// Equal in sizes, attributes and layouts: what two findings of one bug shrink to, whatever values
/// they were met with.
bool same_form(const Case& left, const Case& right);
/// Gives the finding its number, novelty and origin, reports it, and appends it; an equal one that
/// is there already answers for it. Returns its index.
int add_finding(std::vector<Finding>& findings, Finding finding, const TargetPlan& plan,
                const CheckOptions& options);
/// Answers once for a failure that depends on timing only after several runs.
BaseAnswer base_answer(const Judged& failing, bool flaky, const CheckOptions& options);

}  // namespace gate
