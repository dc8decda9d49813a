// What the judged cases of one (kernel, column) covered, as the report's Coverage.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gate/cli/target_plan.h"
#include "gate/report/coverage.h"

namespace gate {

/// Also right for a column that never ran: legal ranges, and everything untried.
Coverage coverage_of(const TargetPlan& plan, const std::vector<Judged>& judged);
/// Null kernels against the plan's first cases, until some case has rejected each.
std::vector<NullTally> tally_null_kernels(Executor& executor, const TargetPlan& plan);
/// Over the plan's first cases; nothing where no finite output but 0 was expected.
std::optional<RelativeSlack> measure_slack(Executor& executor, const TargetPlan& plan);

}  // namespace gate
