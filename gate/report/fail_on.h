// What a workflow makes of a report: which findings fail its job, and the counts it hands on. The
// report's own exit code stays what it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/report/report.h"

namespace gate {

/// fresh: what the base does not have. any: known and preexisting findings too. never: nothing.
enum class FailOn { fresh, any, never };

struct FailRule {
  FailOn on = FailOn::fresh;
  bool flaky_blocks = true;
};

/// A shard that no kernel fell into is no failure by itself.
int judged_exit_code(const Report& report, const FailRule& rule);

/// "verdict=fail", "new-count=2" … one per line, as GITHUB_OUTPUT takes them.
std::string to_outputs(const Report& report);

}  // namespace gate
