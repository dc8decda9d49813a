// Runs the selected entries of a plan and keeps what was judged, in plan order. Where and why it
// stopped early depends on verdicts in plan order only, except for time limits and interrupts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/cli/target_plan.h"

namespace gate {

struct EntriesRun {
  std::vector<Judged> judged;             // in plan order; `number` is that of the whole plan
  std::string stopped;                    // why the rest was left, empty: nothing was
  Kind stopped_kind = Kind::not_checked;  // of what was left: the kind that cost too much
  std::map<std::string, double> seconds;  // wall time between results, by strategy
};
EntriesRun run_entries(Executor& executor, const TargetPlan& plan, const CheckOptions& options);

}  // namespace gate
