// Shrinking without processes: a function Case -> Verdict, stages of simpler cases, a budget.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gate/cases/candidates.h"
#include "gate/search/search.h"

namespace gate {

struct ShrinkProblem {
  std::function<Verdict(const Case&)> run;
  std::function<std::vector<Case>(const Case&, ShrinkStage)> simpler;
  std::function<bool(const Judged& candidate, const Judged& original)> same;
  std::size_t executions_max = 400;
};

struct ShrinkResult {
  Judged best;                 // the failing case itself where nothing simpler fails alike
  std::size_t executions = 0;  // never above the budget
  std::vector<Judged> others;  // other failures met, one of each (kind, property)
  std::vector<Judged> tried;   // every case run, without its comparisons
};

/// Greedy, stage by stage (attributes, axes, layouts, profiles, values, schedule), around again
/// until a whole round finds nothing. No case is run twice; the best is always a verified failure.
ShrinkResult shrink_case(const Judged& failing, const ShrinkProblem& problem);

/// Whether two verdicts say the same: kind and property.
bool same_kind(const Judged& candidate, const Judged& original);

}  // namespace gate
