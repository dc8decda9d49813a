// Strategies: which apply where, how entries are shared out, what each restricts.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;
using Names = std::vector<std::string>;

std::map<std::string, int> counts(const std::vector<Entry>& plan) {
  std::map<std::string, int> count;
  for (const Entry& entry : plan) ++count[entry.strategy];
  return count;
}

TEST(Strategies, ApplyWhereTheSchemaGivesThemSomething) {
  const OpSchema rows = row_op(), heads = heads_op(), pick = index_op();
  EXPECT_EQ(applicable_strategies(rows, kernel_of(rows), "f32", options_of(1)),
            (Names{"exact", "boundary", "regular", "values", "layouts", "attributes", "mixed",
                   "special", "laws"}));
  EXPECT_EQ(applicable_strategies(heads, kernel_of(heads), "bf16", options_of(1)),
            (Names{"boundary", "regular", "values", "attributes", "mixed", "special"}));
  EXPECT_EQ(applicable_strategies(pick, kernel_of(pick), "i32", options_of(1)),
            (Names{"exact", "boundary", "regular", "values", "mixed"}));
  const Names nightly =
      applicable_strategies(rows, kernel_of(rows), "f32", options_of(1, "emu", "nightly"));
  EXPECT_NE(std::find(nightly.begin(), nightly.end(), "huge"), nightly.end());
}

TEST(Strategies, ShareTheEntriesEqually) {
  const OpSchema op = row_op();
  const auto count = counts(make_plan(op, kernel_of(op), "f32", options_of(1)));
  EXPECT_EQ(count.size(), 9u);
  for (const auto& [strategy, entries] : count) {
    EXPECT_GE(entries, 10) << strategy;
    EXPECT_LE(entries, 11) << strategy;
  }
}

TEST(Strategies, TakeExplicitNumbersAndHugeOnTop) {
  const OpSchema op = row_op();
  PlanOptions options = options_of(1);
  options.profile.strategy_entries = {{"exact", 3}, {"laws", 0}};
  options.profile.huge_entries = 5;
  const auto count = counts(make_plan(op, kernel_of(op), "f32", options));
  EXPECT_EQ(count.at("exact"), 3);
  EXPECT_FALSE(count.contains("laws"));
  EXPECT_EQ(count.at("huge"), 5);
  int all = 0;
  for (const auto& [strategy, entries] : count) all += entries;
  EXPECT_EQ(all, options.profile.entries + 5);
}

TEST(Strategies, RestrictWhatTheyAreNamedAfter) {
  const OpSchema op = row_op();
  std::set<std::string> laws;
  std::set<std::int64_t> modes;
  for (const Entry& entry : make_plan(op, kernel_of(op), "f16", options_of(3))) {
    const Case& value = entry.test_case;
    const TensorChoice& x = value.tensors.at("x");
    const auto profile = parse_profile(x.profile);
    ASSERT_TRUE(profile.has_value()) << x.profile;
    EXPECT_EQ(profile->facts->special, entry.strategy == "special") << to_text(value);
    EXPECT_EQ(value.property == "special", entry.strategy == "special");
    EXPECT_TRUE(entry.strategy != "exact" || profile->facts->exact) << x.profile;
    const bool odd = x.layout != "contiguous" || value.tensors.at("y").layout != "contiguous";
    EXPECT_TRUE(entry.strategy != "layouts" || odd) << to_text(value);
    if (entry.strategy == "attributes")
      modes.insert(std::get<std::int64_t>(value.attributes.at("mode")));
    if (entry.strategy == "laws") {
      laws.insert(value.property);
      EXPECT_GT(value.axes.at("cols"), 1);
      EXPECT_GT(value.axes.at("rows"), 1);
    }
  }
  EXPECT_EQ(laws, (std::set<std::string>{"law:rows_independent", "law:shift_invariant"}));
  EXPECT_EQ(modes.size(), 4u);
}

TEST(Strategies, SiblingsAreOtherSchedulesOnEmuAndRepeatsElsewhere) {
  const OpSchema op = row_op();
  std::set<Schedule::Order> first_orders;
  for (const Entry& entry : make_plan(op, kernel_of(op), "f32", options_of(1))) {
    EXPECT_EQ(entry.test_case.schedule, Schedule{});
    ASSERT_FALSE(entry.siblings.empty());
    EXPECT_NE(entry.siblings.front().order, Schedule::Order::ascending);
    first_orders.insert(entry.siblings.front().order);
    std::set<std::uint64_t> keys;
    for (std::size_t i = 1; i < entry.siblings.size(); ++i) {
      EXPECT_EQ(entry.siblings[i].order, Schedule::Order::shuffled);
      EXPECT_TRUE(keys.insert(entry.siblings[i].key).second);
    }
  }
  EXPECT_EQ(first_orders.size(), 2u);   // some are shuffles, which are watched for races
  for (const Entry& entry : make_plan(op, kernel_of(op), "f32", options_of(1, "cuda")))
    EXPECT_EQ(entry.siblings, std::vector<Schedule>{entry.test_case.schedule});
}

TEST(Strategies, LaunchLimitsComeEarlyWhereTheCapsAllow) {
  const OpSchema op = row_op();
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const auto plan = make_plan(op, kernel_of(op), "f32", roomy_options_of(seed));
    std::set<std::string> axes;
    for (std::size_t i = 0; i < 16; ++i)
      for (const auto& [name, size] : plan[i].test_case.axes)
        if (size >= 65535) axes.insert(name);
    EXPECT_EQ(axes, (std::set<std::string>{"rows", "cols"})) << seed;
  }
}

TEST(Strategies, ThreadsOfALaunchAreCappedOnEmu) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  LaunchStep step;
  step.grid = {expression("rows")};
  step.block = {expression("256")};
  kernel.launch = {step};
  for (const Entry& entry : make_plan(op, kernel, "f32", roomy_options_of(1)))
    EXPECT_LE(entry.test_case.axes.at("rows") * 256, (1 << 23) / 4);
}

}  // namespace
}  // namespace gate
