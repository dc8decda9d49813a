// Cases prepared on other threads are the cases that would have been prepared here.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/ahead.h"

#include <gtest/gtest.h>

#include <atomic>

#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

struct AheadTrial {
  OpSchema op = map_op();
  KernelSpec kernel;
  Target target;
  std::vector<Entry> plan;
  std::atomic<int> references = 0;

  explicit AheadTrial(int entries) {
    kernel.name = "test";
    kernel.op = "map";
    target.op = &op;
    target.kernel = &kernel;
    target.column = "f32";
    for (int i = 0; i < entries; ++i) {
      Case value = map_case(i % 7 + 1, 5);
      value.key = static_cast<std::uint64_t>(i);
      plan.push_back({"values", value, {}});
    }
  }
  RunContext context() {
    return {target, false, false,
            [this](const Inputs&) {
              ++references;
              return Result<Expected>(Expected{});
            },
            true};
  }
};

TEST(Ahead, gives_every_case_in_order_with_its_own_inputs) {
  for (const int threads : {0, 1, 3}) {
    AheadTrial trial(200);
    const RunContext context = trial.context();
    Ahead ahead(context, trial.plan, threads);
    for (std::size_t i = 0; i < trial.plan.size(); ++i) {
      CaseRun run = ahead.take(i);
      CaseRun alone(context, trial.plan[i].test_case, {});
      const auto jobs = run.start(), wanted = alone.start();
      ASSERT_EQ(jobs.size(), 1u);
      EXPECT_EQ(input_digest(jobs.front().second.inputs),
                input_digest(wanted.front().second.inputs));
      EXPECT_EQ(jobs.front().second.journal_line, wanted.front().second.journal_line);
    }
  }
}

TEST(Ahead, ends_at_once_when_nobody_asks_any_more) {
  AheadTrial trial(10'000);
  const RunContext context = trial.context();
  {
    Ahead ahead(context, trial.plan, 2);
    ahead.take(0);
  }
  EXPECT_LT(trial.references, 200);
}

}  // namespace
}  // namespace gate
