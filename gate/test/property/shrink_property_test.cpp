// Shrinking on a fake target: a function Case -> Verdict, no process.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "gate/search/shrink_core.h"

namespace gate {
namespace {

Case sized(std::int64_t rows, std::int64_t cols) {
  Case value;
  value.op = "fake";
  value.column = "f32";
  value.axes = {{"rows", rows}, {"cols", cols}};
  return value;
}

/// Axes towards 1: minimum, half, one less; nothing in other stages.
std::vector<Case> smaller(const Case& value, ShrinkStage stage) {
  std::vector<Case> result;
  if (stage != ShrinkStage::axes) return result;
  for (const auto& [axis, size] : value.axes) {
    for (const std::int64_t next : {std::int64_t{1}, size / 2, size - 1}) {
      if (next < 1 || next >= size) continue;
      result.push_back(value);
      result.back().axes[axis] = next;
    }
  }
  return result;
}

Verdict red(Kind kind) {
  Verdict verdict;
  verdict.kind = kind;
  return verdict;
}

bool same_kind(const Judged& candidate, const Judged& original) {
  return candidate.verdict.kind == original.verdict.kind;
}

/// Fails wrong from `rows` x `cols` on, crashes on a single column.
struct Fake {
  std::int64_t rows = 1, cols = 1;
  std::vector<std::string> run;

  Verdict operator()(const Case& value) {
    run.push_back(to_text(value));
    if (value.axes.at("cols") == 1 && cols > 1) return red(Kind::crash);
    const bool fails = value.axes.at("rows") >= rows && value.axes.at("cols") >= cols;
    return red(fails ? Kind::wrong : Kind::pass);
  }
};

ShrinkResult shrink_fake(Fake& fake, const Case& start, std::size_t budget) {
  ShrinkProblem problem;
  problem.run = [&](const Case& value) { return fake(value); };
  problem.simpler = smaller;
  problem.same = same_kind;
  problem.executions_max = budget;
  return shrink_case({0, "mixed", start, red(Kind::wrong)}, problem);
}

RC_GTEST_PROP(shrink, ends_on_a_failure_of_the_same_kind_within_its_budget, ()) {
  Fake fake{*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), {}};
  const Case start =
      sized(fake.rows + *rc::gen::inRange(0, 500), fake.cols + *rc::gen::inRange(0, 500));
  const auto budget = static_cast<std::size_t>(*rc::gen::inRange(0, 80));
  const ShrinkResult result = shrink_fake(fake, start, budget);
  RC_ASSERT(result.executions <= budget);
  RC_ASSERT(result.executions == fake.run.size());
  RC_ASSERT(result.best.verdict.kind == Kind::wrong);
  RC_ASSERT(result.best.test_case.axes.at("rows") <= start.axes.at("rows"));
  RC_ASSERT(result.best.test_case.axes.at("cols") <= start.axes.at("cols"));
  RC_ASSERT(fake(result.best.test_case).kind == Kind::wrong);
}

RC_GTEST_PROP(shrink, reaches_the_minimum_given_room, ()) {
  Fake fake{*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), {}};
  const Case start =
      sized(fake.rows + *rc::gen::inRange(0, 500), fake.cols + *rc::gen::inRange(0, 500));
  const ShrinkResult result = shrink_fake(fake, start, 2000);
  RC_ASSERT(result.best.test_case == sized(fake.rows, fake.cols));
}

RC_GTEST_PROP(shrink, runs_no_case_twice, ()) {
  Fake fake{*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), {}};
  shrink_fake(fake, sized(300, 400), 400);
  const std::set<std::string> distinct(fake.run.begin(), fake.run.end());
  RC_ASSERT(distinct.size() == fake.run.size());
}

TEST(shrink, other_failures_are_kept_aside_and_never_followed) {
  Fake fake{3, 5, {}};
  const ShrinkResult result = shrink_fake(fake, sized(64, 64), 400);
  EXPECT_EQ(result.best.test_case, sized(3, 5));
  ASSERT_EQ(result.others.size(), 1u);
  EXPECT_EQ(result.others.front().verdict.kind, Kind::crash);
  EXPECT_EQ(result.others.front().test_case.axes.at("cols"), 1);
}

TEST(shrink, a_pattern_rule_keeps_it_to_one_bug) {
  // Bug A needs 8 columns, bug B any: both `wrong`. Without the rule A would end as B.
  ShrinkProblem problem;
  problem.run = [](const Case& value) {
    Verdict verdict = red(Kind::wrong);
    verdict.text = value.axes.at("cols") >= 8 ? "A" : "B";
    return verdict;
  };
  problem.simpler = smaller;
  problem.same = [](const Judged& candidate, const Judged& original) {
    return candidate.verdict.text == original.verdict.text;
  };
  Judged failing{0, "mixed", sized(9, 64), red(Kind::wrong)};
  failing.verdict.text = "A";
  EXPECT_EQ(shrink_case(failing, problem).best.test_case, sized(1, 8));
}

TEST(shrink, without_simpler_failures_the_case_itself_is_the_best) {
  Fake fake{7, 7, {}};
  EXPECT_EQ(shrink_fake(fake, sized(7, 7), 400).best.test_case, sized(7, 7));
  EXPECT_EQ(shrink_fake(fake, sized(9, 9), 0).best.test_case, sized(9, 9));
}

TEST(shrink, a_race_carries_the_schedule_that_shows_it) {
  ShrinkProblem problem;
  problem.run = [](const Case& value) {
    Verdict verdict = red(Kind::nondeterministic);
    verdict.property = "repeat";
    verdict.schedule = {Schedule::Order::descending, 0};
    (void)value;
    return verdict;
  };
  problem.simpler = smaller;
  problem.same = same_kind;
  const ShrinkResult result =
      shrink_case({0, "mixed", sized(4, 4), red(Kind::nondeterministic)}, problem);
  EXPECT_EQ(result.best.test_case.property, "repeat");
  EXPECT_EQ(result.best.test_case.schedule.order, Schedule::Order::descending);
  EXPECT_EQ(result.best.test_case.axes, sized(1, 1).axes);
}

}  // namespace
}  // namespace gate
