// The table of strategies and where each can apply.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/strategies.h"

#include <algorithm>

namespace gate {
namespace {

/// Launch limits are reached within the caps, or the caps themselves are worth reaching.
bool has_huge_sizes(const CaseSpace& space) {
  constexpr std::int64_t worth = 4096;
  return std::any_of(space.axes.begin(), space.axes.end(), [&](const AxisSpace& axis) {
    return !axis.launch.empty() || axis.all.back() >= worth;
  });
}

}  // namespace

const std::vector<Strategy>& strategy_rows() {
  using enum Strategy::Sizes;
  using enum Strategy::Values;
  static const std::vector<Strategy> rows = {
      {.facts = {"exact", "values whose sums are exact in any order"},
       .values = exact,
       .layout_percent = 10,
       .generic_percent = 0},
      {.facts = {"boundary", "sizes around tiles, powers of two, ends and launch limits"},
       .sizes = boundary,
       .layout_percent = 10},
      {.facts = {"regular", "powers of two and multiples of tiles"},
       .sizes = regular,
       .layout_percent = 10},
      {.facts = {"values", "every value profile of every input"}, .generic_percent = 35},
      {.facts = {"layouts", "pitched, strided, offset, transposed and broadcast tensors"},
       .several = true,
       .layout = true,
       .odd_percent = 100,
       .layout_percent = 60,
       .focus_percent = 50,
       .generic_percent = 80},
      {.facts = {"attributes", "every value of every attribute"},
       .several = true,
       .sweep = true,
       .focus_percent = 50,
       .generic_percent = 80},
      {.facts = {"mixed", "everything at once"},
       .odd_percent = 100,
       .layout_percent = 30,
       .generic_percent = 50},
      {.facts = {"huge", "launch limits and the largest sizes within the caps"},
       .sizes = huge,
       .layout_percent = 10,
       .focus_percent = 50,
       .generic_percent = 80},
      {.facts = {"special", "NaN and infinities under the op's contract"},
       .sizes = boundary,
       .values = special,
       .several = true,
       .layout_percent = 10,
       .generic_percent = 80},
      {.facts = {"traced", "sizes of traced workloads: the op's traced.toml"},
       .sizes = traced,
       .layout_percent = 10,
       .focus_percent = 50,
       .generic_percent = 80},
      {.facts = {"laws", "relations between runs that the op declares"},
       .several = true,
       .law = true,
       .focus_percent = 50,
       .generic_percent = 80},
  };
  return rows;
}

const Strategy& strategy_named(std::string_view name) {
  const auto& rows = strategy_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const Strategy& s) { return s.facts.name == name; });
  check(row != rows.end(), "strategies are named by their table");
  return *row;
}

const std::vector<StrategyFacts>& all_strategies() {
  static const std::vector<StrategyFacts> all = [] {
    std::vector<StrategyFacts> list;
    for (const Strategy& row : strategy_rows()) list.push_back(row.facts);
    return list;
  }();
  return all;
}

bool is_applicable(const Strategy& strategy, const CaseSpace& space, const Profile& profile) {
  const auto share = profile.strategy_entries.find(std::string(strategy.facts.name));
  if (share != profile.strategy_entries.end() && share->second <= 0) return false;
  if (strategy.values == Strategy::Values::exact) return space.can_be_exact();
  if (strategy.values == Strategy::Values::special) return space.has_special();
  if (strategy.sizes == Strategy::Sizes::traced) return !space.traced.empty();
  if (strategy.law) return !space.op->contract.laws.empty();
  if (strategy.sweep) return !space.swept.empty();
  if (strategy.sizes == Strategy::Sizes::huge)
    return (profile.huge_entries > 0 || share != profile.strategy_entries.end()) &&
           has_huge_sizes(space);
  if (strategy.layout)
    return std::any_of(space.tensors.begin(), space.tensors.end(),
                       [](const TensorSpace& tensor) { return !tensor.layouts.empty(); });
  return true;
}

std::vector<std::string> applicable_strategies(const OpSchema& op, const KernelSpec& kernel,
                                               const std::string& column,
                                               const PlanOptions& options) {
  const CaseSpace space = make_space(op, kernel, column, options);
  std::vector<std::string> names;
  for (const Strategy& strategy : strategy_rows())
    if (is_applicable(strategy, space, options.profile)) names.emplace_back(strategy.facts.name);
  return names;
}

}  // namespace gate
