// Cases under compute-sanitizer: reads beyond a tensor and races that changed no value this time
// are failures too, which no comparison can see.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/search/search.h"
#include "gate/worker/sanitize.h"

namespace gate {

/// What the tools say of these cases, run one after the other in one worker a tool.
std::vector<SanitizerReport> sanitize_cases(Executor& executor, const SessionOptions& options,
                                            const std::vector<Case>& cases);
/// The verdict that errors amount to; nothing where there are none.
std::optional<Verdict> sanitizer_verdict(const std::vector<SanitizerReport>& reports,
                                         const Case& value);

}  // namespace gate
