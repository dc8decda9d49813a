// The stages of shrinking behind candidates(): each proposes simpler cases, simplest first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gate/cases/candidates.h"

namespace gate {

/// What every stage reads.
struct ShrinkContext {
  const Case& value;
  const OpSchema& op;
  const KernelSpec* kernel;
};

std::vector<Case> simpler_attributes(const ShrinkContext& context);
std::vector<Case> simpler_axes(const ShrinkContext& context);
std::vector<Case> simpler_layouts(const ShrinkContext& context);
std::vector<Case> simpler_profiles(const ShrinkContext& context);
std::vector<Case> simpler_values(const ShrinkContext& context);
std::vector<Case> simpler_schedules(const ShrinkContext& context);

/// Position of a profile in the table, which lists simple ones first.
std::size_t simplicity(std::string_view profile);
/// Moves what no longer fits after axes changed to the end of its tensor: overrides, impulses.
void refit_elements(Case& value, const OpSchema& op);

}  // namespace gate
