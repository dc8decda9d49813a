// A race on emu: found by a schedule, shrunk towards the plain orders, replayed exactly.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/explain/finding.h"
#include "gate/explain/pattern.h"
#include "gate/test/integration/target_fixture.h"

namespace gate {
namespace {

class RaceTest : public HostTargets {
 protected:
  Executor on_emu(const KernelSpec& kernel) {
    Target target;
    target.op = find_op(catalogue(), kernel.op);
    target.kernel = &kernel;
    target.column = "f32";
    target.device = "emu";
    target.tolerance = catalogue().tolerances.at(kernel.op).rows.at("f32");
    BuildOutcome build = build_kernel(*target.op, kernel, "f32", "emu");
    EXPECT_EQ(build.kind, Kind::pass) << build.text;
    return Executor(target, std::move(build), SessionOptions(), profile());
  }

  std::vector<Entry> emu_plan(const KernelSpec& kernel) const {
    PlanOptions options;
    options.run_seed = 1;
    options.device = "emu";
    options.profile = profile();
    options.profile.entries = 24;
    return make_plan(*find_op(catalogue(), kernel.op), kernel, "f32", options);
  }
};

TEST_F(RaceTest, a_race_shrinks_towards_plain_orders_and_replays_exactly) {
  const KernelSpec& kernel = bundled("scale_shared_race");
  Executor tested = on_emu(kernel);
  std::optional<Judged> race;
  tested.execute_plan(emu_plan(kernel), [&](Judged judged) {
    if (judged.verdict.kind == Kind::nondeterministic && (!race || judged.number < race->number)) {
      race = std::move(judged);
    }
    return true;
  });
  ASSERT_TRUE(race);
  ShrinkOptions options;
  options.same = [](const Judged& candidate, const Judged& original) {
    return same_pattern(candidate.verdict, original.verdict);
  };
  const RawFailure failure = shrink(tested, *race, options);
  const Case& shrunk = failure.shrunk.test_case;
  EXPECT_EQ(shrunk.property, property_repeat);
  EXPECT_NE(shrunk.schedule.order, Schedule::Order::shuffled) << to_text(shrunk);
  EXPECT_LE(failure.shrink_executions, options.executions_max);
  Executor first = on_emu(kernel), second = on_emu(kernel);
  const Verdict once = first.execute(shrunk), again = second.execute(shrunk);
  EXPECT_EQ(once.kind, Kind::nondeterministic) << once.text;
  EXPECT_EQ(once.text, again.text);
  EXPECT_EQ(once.schedule, again.schedule);
  EXPECT_EQ(once.output_digest, again.output_digest);
  EXPECT_EQ(once.input_digest, again.input_digest);
}

}  // namespace
}  // namespace gate
