// Simpler cases to try while shrinking, simplest first, all valid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gate/cases/inputs.h"

namespace gate {

/// Stages in order: attributes, axes, layouts, profiles, values, schedule. Never returns `value`
/// itself; empty when nothing simpler exists.
enum class ShrinkStage { attributes, axes, layouts, profiles, values, schedule };
std::vector<Case> candidates(const Case& value, const OpSchema& op, const KernelSpec* kernel,
                             ShrinkStage stage);

}  // namespace gate
