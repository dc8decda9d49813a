// Strategies as restrictions of the one case generator: one table row each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/cases/space.h"

namespace gate {

/// What a strategy restricts; everything it leaves open is drawn jointly.
struct Strategy {
  enum class Sizes { any, boundary, regular, huge, traced };
  enum class Values { plain, exact, special };
  StrategyFacts facts;
  Sizes sizes = Sizes::any;
  Values values = Values::plain;
  bool several = false;  // axes have at least two parts where they can: what it shows needs it
  bool layout = false;   // at least one tensor is not contiguous
  bool sweep = false;    // needs an attribute with a choice
  bool law = false;
  int odd_percent = 0;       // how often one tensor is certain not to be contiguous
  int layout_percent = 0;    // how often any other tensor is not contiguous
  int focus_percent = 100;   // how often the input in focus takes its next profile
  int generic_percent = 65;  // how often the other inputs get plain data
};
const std::vector<Strategy>& strategy_rows();
const Strategy& strategy_named(std::string_view name);
bool is_applicable(const Strategy& strategy, const CaseSpace& space, const Profile& profile);

}  // namespace gate
