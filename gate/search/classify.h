// Class of a (kernel, column) from what was found, what stayed unchecked and the fixed-shape runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gate/search/search.h"

namespace gate {

/// Whether KernelBench's current rule passes under one of its distributions: all its draws.
bool illusion_rule_passed(const std::vector<FixedShapeResult>& results);

/// Any finding: illusion where that rule passes, else defect. No finding: unchecked where anything
/// stayed grey or nothing was judged, else clean.
Class classify(std::size_t findings, std::size_t greys, std::size_t judged,
               const std::vector<FixedShapeResult>& results);

}  // namespace gate
