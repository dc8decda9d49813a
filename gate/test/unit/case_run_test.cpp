// A case's way to its verdict, without a process: the "device" is a function Job -> Outcome.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/case_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "gate/search/classify.h"
#include "gate/search/schedules.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

using Device = std::function<Outcome(const Job&)>;

/// y = x, the reference and the honest device.
Outcome copied(const Job& job) {
  Outcome outcome;
  outcome.after = job.inputs.tensors;
  Tensor& y = outcome.after.back();
  for (std::int64_t i = 0; i < y.elements(); ++i) y.set(i, outcome.after.front().at(i));
  return outcome;
}

Outcome spoiled(const Job& job) {
  Outcome outcome = copied(job);
  outcome.after.back().set(0, 1e6);
  return outcome;
}

Outcome ended(Kind kind) {
  Outcome outcome;
  outcome.end = kind;
  return outcome;
}

bool is(const Schedule& schedule, Schedule::Order order) { return schedule.order == order; }

struct RunTrial {
  OpSchema op = map_op();
  KernelSpec kernel;
  Target target;
  bool emulated = true, shared = true;
  std::vector<Job> jobs;

  RunTrial() {
    kernel.name = "test";
    kernel.op = "map";
    target.op = &op;
    target.kernel = &kernel;
    target.column = "f32";
    target.tolerance.c = 1;
  }

  Verdict verdict(const Case& value, const Device& device,
                  const std::vector<Schedule>& siblings = {}) {
    const RunContext context{target, emulated, emulated && shared, reference};
    CaseRun run(context, value, siblings);
    std::deque<std::pair<std::size_t, Job>> ready;
    const auto add = [&](std::vector<std::pair<std::size_t, Job>> more) {
      for (auto& job : more) ready.push_back(std::move(job));
    };
    jobs.clear();
    add(run.start());
    while (!ready.empty()) {
      const auto [number, job] = std::move(ready.back());  // any order of answers will do
      ready.pop_back();
      jobs.push_back(job);
      add(run.take(number, device(job)));
    }
    EXPECT_TRUE(run.finished());
    return run.take_verdict();
  }

  static Result<Expected> reference(const Inputs& inputs) {
    std::vector<double> values;
    const Tensor& x = inputs.tensors.front();
    for (std::int64_t i = 0; i < x.elements(); ++i) values.push_back(x.at(i));
    return Expected{{expected_floats(values, 1e-6)}};
  }
};

TEST(case_run, a_green_case_is_one_job) {
  RunTrial trial;
  EXPECT_EQ(trial.verdict(map_case(2, 3), copied).kind, Kind::pass);
  EXPECT_EQ(trial.jobs.size(), 1u);
  EXPECT_EQ(trial.verdict(map_case(2, 3), copied).input_digest.size(), 64u);
}

TEST(case_run, a_red_case_runs_three_further_schedules_before_its_kind_is_fixed) {
  RunTrial trial;
  const Verdict verdict = trial.verdict(map_case(2, 3), spoiled);
  EXPECT_EQ(verdict.kind, Kind::wrong);
  EXPECT_EQ(trial.jobs.size(), 4u);
  std::set<std::string> schedules;
  for (const Job& job : trial.jobs) schedules.insert(job.journal_line);
  EXPECT_EQ(schedules.size(), 4u);
  trial.shared = false;  // no shared memory, no atomics: the same bytes once again
  trial.verdict(map_case(2, 3), spoiled);
  EXPECT_EQ(trial.jobs.size(), 2u);
  trial.emulated = false;
  trial.verdict(map_case(2, 3), spoiled);
  EXPECT_EQ(trial.jobs.size(), 2u);
}

TEST(case_run, verdicts_that_differ_between_schedules_are_nondeterministic) {
  RunTrial trial;
  const Device device = [](const Job& job) {
    return is(job.schedule, Schedule::Order::descending) ? copied(job) : spoiled(job);
  };
  const Verdict verdict = trial.verdict(map_case(2, 3), device);
  EXPECT_EQ(verdict.kind, Kind::nondeterministic);
  EXPECT_EQ(verdict.property, "repeat");
}

TEST(case_run, a_sibling_that_crashes_is_a_different_verdict) {
  RunTrial trial;
  const Device device = [](const Job& job) {
    return is(job.schedule, Schedule::Order::descending) ? ended(Kind::crash) : copied(job);
  };
  const Verdict verdict = trial.verdict(map_case(2, 3), device, {{Schedule::Order::descending, 0}});
  EXPECT_EQ(verdict.kind, Kind::nondeterministic);
  EXPECT_NE(verdict.text.find("crash"), std::string::npos) << verdict.text;
}

TEST(case_run, a_sibling_that_fails_carries_its_schedule) {
  RunTrial trial;
  const Device device = [](const Job& job) {
    return is(job.schedule, Schedule::Order::descending) ? spoiled(job) : copied(job);
  };
  const Schedule descending{Schedule::Order::descending, 0};
  const Case value = map_case(2, 3);
  const Verdict verdict = trial.verdict(value, device, {descending});
  EXPECT_EQ(verdict.kind, Kind::nondeterministic);
  EXPECT_EQ(verdict.schedule, descending);
  const Case shown = case_showing(value, verdict);
  EXPECT_EQ(shown.property, "repeat");
  EXPECT_EQ(trial.verdict(shown, device).kind, Kind::nondeterministic);
}

TEST(case_run, bits_that_differ_within_the_tolerance_are_nondeterministic_too) {
  RunTrial trial;
  const Device device = [](const Job& job) {
    Outcome outcome = copied(job);
    Tensor& y = outcome.after.back();
    if (is(job.schedule, Schedule::Order::descending)) y.set_bits(0, y.bits_at(0) ^ 1);
    return outcome;
  };
  Case value = map_case(2, 3);
  EXPECT_EQ(trial.verdict(value, device, {{Schedule::Order::descending, 0}}).kind,
            Kind::nondeterministic);
  value.property = "repeat";  // alone, as a seed would run it
  EXPECT_EQ(trial.verdict(value, device).kind, Kind::nondeterministic);
  trial.op.contract.determinism = "within_envelope";
  EXPECT_EQ(trial.verdict(value, device).kind, Kind::pass);
}

TEST(case_run, repeats_elsewhere_are_the_same_bytes_again) {
  RunTrial trial;
  trial.emulated = false;
  int calls = 0;
  const Device device = [&](const Job& job) { return ++calls == 1 ? spoiled(job) : copied(job); };
  EXPECT_EQ(trial.verdict(map_case(2, 3), device).kind, Kind::nondeterministic);
  for (const Job& job : trial.jobs) EXPECT_EQ(job.schedule, Schedule{});
}

TEST(case_run, a_second_call_on_the_same_memory_must_agree) {
  RunTrial trial;
  Case value = map_case(2, 3);
  value.property = "repeat";
  const Device device = [](const Job& job) { return job.repeat > 1 ? spoiled(job) : copied(job); };
  EXPECT_EQ(trial.verdict(value, device).kind, Kind::nondeterministic);
}

TEST(case_run, time_is_not_spent_on_repeating_what_hangs) {
  RunTrial trial;
  const Device device = [](const Job&) { return ended(Kind::timeout); };
  EXPECT_EQ(trial.verdict(map_case(2, 3), device).kind, Kind::timeout);
  EXPECT_EQ(trial.jobs.size(), 1u);
}

TEST(case_run, a_grey_sibling_proves_nothing) {
  RunTrial trial;
  const Device device = [](const Job& job) {
    return is(job.schedule, Schedule::Order::ascending) ? copied(job) : ended(Kind::environment);
  };
  EXPECT_EQ(trial.verdict(map_case(2, 3), device, {{Schedule::Order::descending, 0}}).kind,
            Kind::pass);
}

TEST(case_run, poison_is_looked_at_twice) {
  RunTrial trial;
  const Device lazy = [](const Job& job) {
    Outcome outcome = copied(job);
    outcome.after.back().set_bits(1, poison_bits(DType::f32, job.second_poison));
    return outcome;
  };
  EXPECT_EQ(trial.verdict(map_case(2, 3), lazy).kind, Kind::unwritten);
  EXPECT_TRUE(std::any_of(trial.jobs.begin(), trial.jobs.end(),
                          [](const Job& job) { return job.second_poison; }));
  const Device writes_it = [](const Job& job) {
    Outcome outcome = copied(job);
    outcome.after.back().set_bits(1, poison_bits(DType::f32));
    return outcome;
  };
  EXPECT_EQ(trial.verdict(map_case(2, 3), writes_it).kind, Kind::nonfinite);
}

TEST(case_run, a_law_runs_after_a_green_base) {
  RunTrial trial;
  Case value = map_case(4, 3);
  value.property = "law:rows_independent";
  const Verdict kept = trial.verdict(value, copied);
  EXPECT_EQ(kept.kind, Kind::pass);
  EXPECT_EQ(kept.property, "law:rows_independent");
  EXPECT_EQ(trial.jobs.size(), 2u);
  const Device lonely = [](const Job& job) {
    Outcome outcome = copied(job);
    Tensor& y = outcome.after.back();
    if (job.inputs.axes.at("rows") == 1) y.set_bits(0, y.bits_at(0) ^ 1);
    return outcome;
  };
  EXPECT_EQ(trial.verdict(value, lonely).kind, Kind::law_broken);
  EXPECT_EQ(trial.verdict(value, spoiled).kind, Kind::wrong);
}

TEST(case_run, without_a_reference_nothing_is_green) {
  RunTrial trial;
  const RunContext context{trial.target, false, false, [](const Inputs&) -> Result<Expected> {
                             return machine_failure("no reference");
                           }};
  CaseRun run(context, map_case(2, 3), {});
  auto jobs = run.start();
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_TRUE(run.take(jobs.front().first, copied(jobs.front().second)).empty());
  EXPECT_EQ(run.take_verdict().kind, Kind::not_checked);
}

TEST(schedules, further_ones_are_distinct_and_never_the_cases_own) {
  Case value = map_case(1, 1);
  for (const Schedule::Order order :
       {Schedule::Order::ascending, Schedule::Order::descending, Schedule::Order::shuffled}) {
    value.schedule = {order, order == Schedule::Order::shuffled ? 5u : 0u};
    const std::vector<Schedule> further = further_schedules(value, 6);
    ASSERT_EQ(further.size(), 6u);
    for (std::size_t i = 0; i < further.size(); ++i) {
      EXPECT_FALSE(further[i] == value.schedule);
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(further[i] == further[j]);
    }
  }
}

TEST(classify, follows_findings_greys_and_the_one_rule_that_counts) {
  const auto rule = [](std::string name, std::string values, bool passed) {
    return FixedShapeResult{std::move(name), std::move(values), passed, "", 5};
  };
  const std::vector<FixedShapeResult> none = {rule("kernelbench", "randn", false),
                                              rule("kernelbench", "uniform01", false),
                                              rule("kernelbench_v0", "randn", true)};
  std::vector<FixedShapeResult> one = none;
  one[1].passed = true;
  EXPECT_EQ(classify(1, 0, 96, one), Class::illusion);
  EXPECT_EQ(classify(1, 5, 96, none), Class::defect);
  EXPECT_EQ(classify(0, 1, 96, one), Class::unchecked);
  EXPECT_EQ(classify(0, 0, 96, none), Class::clean);
  EXPECT_EQ(classify(0, 0, 0, one), Class::unchecked);
  EXPECT_EQ(classify(1, 0, 1, {}), Class::defect);
}

}  // namespace
}  // namespace gate
