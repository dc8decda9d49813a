// compute-sanitizer in a run: words beside the findings, and a look at cases that passed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/cli/check_target.h"

namespace gate {

/// The first entries of a plan without findings once more under the tools; errors are a finding.
void sanitize_entries(Executor& executor, const TargetPlan& plan, const CheckOptions& options,
                      TargetResult& result);
/// The shrunk case of every finding once more under the tools; no verdict depends on it.
void add_sanitizer_words(Executor& executor, const CheckOptions& options, TargetResult& result);

}  // namespace gate
