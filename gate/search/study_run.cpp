// Running units: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/oracle/contract.h"
#include "gate/search/study_rules.h"

namespace gate {
namespace {

constexpr std::int64_t case_timeout_ms = 120'000;  // the largest published shape, emulated

void add_rules(StudyRun& run, const StudyUnit& unit, const Outcome& outcome,
               const Expected& expected) {
  for (const StudyRule& rule : all_study_rules()) {
    const bool ended = outcome.end == Kind::pass;
    run.rules.push_back(!ended || rule.fails({*unit.kernel, unit.column, outcome, expected}));
  }
}

double largest_error(const Outcome& outcome, const Expected& expected) {
  double largest = 0;
  for (const ExpectedTensor& want : expected.outputs) {
    const Tensor* got = find_output(outcome, want.name);
    if (got == nullptr) continue;
    for (std::int64_t i = 0; i < got->elements(); ++i) {
      const double reference = rounded(got->dtype, want.value[static_cast<std::size_t>(i)]);
      const double off = std::abs(got->at(i) - reference);
      if (std::isfinite(off)) largest = std::max(largest, off);
    }
  }
  return largest;
}

StudyRun run_case(Executor& executor, const StudyUnit& unit, const Case& value) {
  StudyRun run;
  run.text = to_text(value);
  const Target& target = executor.target();
  if (const Result<Done> legal = validate(value, *target.op, target.kernel); !legal) {
    run.message = to_text(legal.failure());
    return run;
  }
  const Inputs inputs = executor.inputs_of(value);
  const Result<Expected> expected = executor.reference(inputs);
  if (!expected) {
    run.message = to_text(expected.failure());
    return run;
  }
  const Outcome outcome = executor.outcome_of(value);
  const Judging judging{*target.op, target.column, target.tolerance, value, *expected};
  Verdict verdict = judge({judging, outcome});
  if (needs_second_poison({judging, outcome})) verdict = executor.execute(value);
  run.kind = verdict.kind;
  run.property = verdict.property;
  run.message = verdict.text;
  run.unjudgeable = verdict.unjudgeable;
  run.discriminating = verdict.discriminating;
  for (const Comparison& comparison : verdict.comparisons) {
    run.elements += comparison.elements;
    run.largest_ratio = std::max(run.largest_ratio, comparison.largest_ratio);
  }
  add_rules(run, unit, outcome, *expected);
  if (outcome.end == Kind::pass) run.largest_error = largest_error(outcome, *expected);
  if (const BugModel* model = find_bug_model(target.op->name, target.kernel->name)) {
    run.visible = visible_difference(model->values(inputs, *target.op, target.column), *expected,
                                     *target.op, target.column);
  }
  return run;
}

}  // namespace

std::string study_device(const StudyKernel& kernel, const std::string& device) {
  return device_for(*kernel.kernel, device);
}

Target study_target(const StudyKernel& kernel, const std::string& column,
                    const std::string& device) {
  Target target;
  target.op = kernel.op;
  target.kernel = kernel.kernel;
  target.column = column;
  target.device = study_device(kernel, device);
  if (const auto row = kernel.tolerances.find(column); row != kernel.tolerances.end()) {
    target.tolerance = row->second;
  }
  return target;
}

SessionOptions study_session() {
  SessionOptions options;
  options.case_timeout_ms = case_timeout_ms;
  return options;
}

std::vector<StudyRun> run_unit(const StudyUnit& unit, std::uint64_t run_seed) {
  const Target target = study_target(*unit.kernel, unit.column, unit.device);
  BuildOutcome build = build_kernel(*target.op, *target.kernel, target.column, target.device);
  std::vector<StudyRun> runs;
  if (build.kind != Kind::pass) {
    StudyRun run;
    run.kind = build.kind;
    run.message = build.text;
    run.rules.assign(all_study_rules().size(), false);
    runs.push_back(std::move(run));
    return runs;
  }
  Executor executor(target, std::move(build), study_session(), {});
  // The published controls and bugs of an op meet the same inputs where their shapes agree.
  const std::string lane =
      fmt::format("study {} {} {}", target.op->name, target.column, unit.strategy->name);
  const std::uint64_t base = mix(run_seed, stable_hash(lane));
  for (std::int64_t i = 0; i < unit.cases; ++i) {
    const std::uint64_t key = mix(base, static_cast<std::uint64_t>(i));
    runs.push_back(
        run_case(executor, unit, study_case(*unit.kernel, unit.column, *unit.strategy, key)));
  }
  return runs;
}

void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  const auto threads_wanted = std::min(count, static_cast<std::size_t>(std::max(jobs, 1)));
  for (std::size_t t = 0; t < threads_wanted; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
}

std::vector<std::vector<StudyRun>> run_units(const std::vector<StudyUnit>& units,
                                             const StudyOptions& options) {
  std::vector<std::vector<StudyRun>> results(units.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(units.size(), options.jobs, [&](std::size_t i) {
    results[i] = run_unit(units[i], options.run_seed);
    const std::lock_guard lock(mutex);
    ++done;
    const StudyUnit& unit = units[i];
    if (options.progress) {
      options.progress(fmt::format("{}/{} {} {} {}", done, units.size(), unit.kernel->kernel->name,
                                   unit.column, unit.strategy->name));
    }
  });
  return results;
}

}  // namespace gate
