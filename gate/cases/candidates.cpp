// Collects a stage's proposals; keeps the legal, different ones, each once, in order.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/candidates.h"

#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/cases/shrink.h"

namespace gate {
namespace {

std::vector<Case> proposals(const ShrinkContext& context, ShrinkStage stage) {
  switch (stage) {
    case ShrinkStage::attributes:
      return simpler_attributes(context);
    case ShrinkStage::axes:
      return simpler_axes(context);
    case ShrinkStage::layouts:
      return simpler_layouts(context);
    case ShrinkStage::profiles:
      return simpler_profiles(context);
    case ShrinkStage::values:
      return simpler_values(context);
    case ShrinkStage::schedule:
      return simpler_schedules(context);
  }
  return {};
}

}  // namespace

std::vector<Case> candidates(const Case& value, const OpSchema& op, const KernelSpec* kernel,
                             ShrinkStage stage) {
  std::vector<Case> kept;
  for (Case& candidate : proposals({value, op, kernel}, stage)) {
    if (candidate == value || !validate(candidate, op, kernel)) continue;
    if (std::find(kept.begin(), kept.end(), candidate) == kept.end())
      kept.push_back(std::move(candidate));
  }
  return kept;
}

}  // namespace gate
