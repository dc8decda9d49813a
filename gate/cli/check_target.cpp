// Checking one (kernel, column): see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/check_target.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/cli/coverage_of.h"
#include "gate/cli/find_failures.h"
#include "gate/cli/run_entries.h"
#include "gate/cli/sanitizer_run.h"
#include "gate/explain/pattern.h"
#include "gate/oracle/fixed_shape.h"
#include "gate/policy/crossing.h"
#include "gate/search/classify.h"
#include "gate/search/confirm.h"

namespace gate {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void start_entries(const TargetPlan& plan, TargetResult& result) {
  for (const Entry& entry : plan.entries) {
    result.entries.push_back({entry.strategy, false, Kind::not_checked, "not run", -1});
  }
}

void count_entry(const Judged& judged, std::size_t position, TargetResult& result) {
  const Verdict& verdict = judged.verdict;
  if (colour(verdict.kind) == Colour::grey) return;
  ++result.checked;
  ++result.checked_by_strategy[judged.strategy];
  if (!verdict.discriminating) ++result.non_discriminating;
  if (verdict.unjudgeable > 0) ++result.unjudgeable;
  for (const Comparison& comparison : verdict.comparisons) {
    result.largest_ratio = std::max(result.largest_ratio, comparison.largest_ratio);
  }
  if (colour(verdict.kind) == Colour::red && result.first_finding == 0) {
    result.first_finding = static_cast<std::int64_t>(position) + 1;
  }
}

/// Verdicts into entries; entries nobody got to carry the reason.
void take_entries(const TargetPlan& plan, const EntriesRun& run, TargetResult& result) {
  std::map<std::size_t, std::size_t> index_of;
  for (std::size_t i = 0; i < plan.numbers.size(); ++i) index_of[plan.numbers[i]] = i;
  for (const Judged& judged : run.judged) {
    EntryResult& entry = result.entries[index_of.at(judged.number)];
    entry.executed = true;
    entry.kind = judged.verdict.kind;
    entry.text = judged.verdict.text;
    count_entry(judged, judged.number, result);
  }
  if (run.stopped.empty()) return;
  for (EntryResult& entry : result.entries) {
    if (entry.executed) continue;
    entry.kind = run.stopped_kind;
    entry.text = run.stopped;
  }
}

/// An entry that was left because the kernel hangs answers with that finding. Without one it is not
/// checked, nor is it with one that does not block: what else the head does there nobody saw.
void link_left_entry(const std::vector<FailureGroup>& groups, const std::vector<Finding>& findings,
                     EntryResult& entry) {
  for (const FailureGroup& group : groups) {
    if (group.kind == entry.kind && group.finding >= 0) entry.finding = group.finding;
  }
  const bool answered =
      entry.finding >= 0 && blocks(findings[static_cast<std::size_t>(entry.finding)].novelty);
  if (!answered) entry.kind = Kind::not_checked;
}

void link_findings(const TargetPlan& plan, const EntriesRun& run,
                   const std::vector<FailureGroup>& groups, TargetResult& result) {
  std::map<std::size_t, std::size_t> index_of;
  for (std::size_t i = 0; i < plan.numbers.size(); ++i) index_of[plan.numbers[i]] = i;
  for (const FailureGroup& group : groups) {
    if (group.finding < 0 && !group.unreproduced) ++result.groups_not_shrunk;
    for (const std::size_t member : group.members) {
      EntryResult& entry = result.entries[index_of.at(run.judged[member].number)];
      entry.finding = group.finding;
      if (!group.unreproduced) continue;
      entry.text = "failed once (" + std::string(name(entry.kind)) +
                   ") and in no fresh worker after that: " + entry.text;
      entry.kind = Kind::not_checked;
    }
  }
  for (EntryResult& entry : result.entries) {
    if (!entry.executed && colour(entry.kind) == Colour::red) {
      link_left_entry(groups, result.findings, entry);
    }
  }
}

/// A red seed whose failure the plan did not find is a finding too.
void take_seeds(Evidence& evidence, const TargetPlan& plan, const CheckOptions& options,
                TargetResult& result) {
  result.seed_findings.assign(result.seeds.size(), -1);
  result.seed_answers.assign(result.seeds.size(), BaseAnswer::not_asked);
  for (std::size_t i = 0; i < result.seeds.size(); ++i) {
    const SeedResult& seed = result.seeds[i];
    if (colour(seed.judged.verdict.kind) != Colour::red) continue;
    result.seed_answers[i] = base_answer(seed.judged, false, options);
    for (std::size_t f = 0; f < result.findings.size(); ++f) {
      const Seed& found = result.findings[f].seed;
      if (found.kind == seed.judged.verdict.kind &&
          found.property == seed.judged.verdict.property &&
          pattern_holds(seed.judged.verdict, found.pattern)) {
        result.seed_findings[i] = static_cast<int>(f);
      }
    }
    if (result.seed_findings[i] >= 0) continue;
    std::optional<Finding> finding = find_failure(evidence, options, seed.judged, {});
    if (!finding) continue;
    result.seed_findings[i] = add_finding(result.findings, std::move(*finding), plan, options);
  }
}

void measure(Executor& executor, const TargetPlan& plan, const CheckOptions& options,
             TargetResult& result) {
  if (!plan.measure_fixed_shape && result.findings.empty()) return;
  if (options.limits.is_interrupted()) return;
  const auto begin = Clock::now();
  result.fixed_shape = measure_fixed_shape(executor);
  result.fixed_shape_seconds = seconds_since(begin);
}

/// Class and kind from what was found; red beats grey.
void conclude(TargetResult& result) {
  result.illusion_rule_passed = illusion_rule_passed(result.fixed_shape);
  std::vector<Kind> kinds;
  for (const EntryResult& entry : result.entries) kinds.push_back(entry.kind);
  for (const SeedResult& seed : result.seeds) kinds.push_back(seed.judged.verdict.kind);
  const auto greys = std::count_if(kinds.begin(), kinds.end(),
                                   [](Kind kind) { return colour(kind) == Colour::grey; });
  result.klass = classify(result.findings.size(), static_cast<std::size_t>(greys), kinds.size(),
                          result.fixed_shape);
  if (!result.findings.empty()) {
    result.kind = result.findings.front().seed.kind;
    if (result.fixed_shape.empty()) result.klass = Class::unchecked;  // interrupted before that
    return;
  }
  const auto first =
      std::find_if(kinds.begin(), kinds.end(), [](Kind kind) { return kind != Kind::pass; });
  result.kind = first == kinds.end() ? Kind::pass : *first;
  if (kinds.empty()) result.kind = Kind::not_checked;
}

/// The line of a compiler's message that says what is wrong; the ones before tell where it was
/// included from.
std::string first_error_line(const std::string& text) {
  std::string first;
  for (const std::string& line : split(text, '\n')) {
    if (first.empty()) first = line;
    if (line.find("error") != std::string::npos) return line;
  }
  return first;
}

/// A column that does not build: red with its message as the finding, or grey.
void take_unbuilt(const TargetPlan& plan, const CheckOptions& options, const BuildOutcome& build,
                  TargetResult& result) {
  for (const Seed& seed : plan.seeds) result.seeds.push_back(replay_unbuilt(seed, build));
  result.seed_findings.assign(result.seeds.size(), -1);
  result.seed_answers.assign(result.seeds.size(), BaseAnswer::not_asked);
  for (std::size_t i = 0; i < result.seeds.size(); ++i) {
    const Judged& judged = result.seeds[i].judged;
    if (colour(judged.verdict.kind) != Colour::red) continue;
    result.seed_answers[i] = base_answer(judged, false, options);
  }
  for (EntryResult& entry : result.entries) {
    entry.executed = colour(build.kind) == Colour::red;  // each would fail the same way
    entry.kind = build.kind;
    entry.text = build.text;
  }
  if (colour(build.kind) != Colour::red || plan.entries.empty()) return;
  RawFailure failure;
  failure.first.number = plan.numbers.front();
  failure.first.strategy = plan.entries.front().strategy;
  failure.first.test_case = plan.entries.front().test_case;
  failure.first.verdict.kind = build.kind;
  failure.first.verdict.property = std::string(property_build);
  failure.first.verdict.text = build.text;
  failure.shrunk = failure.first;
  failure.confirmed = failure.attempts = 1;
  Explanation explanation;
  explanation.pattern = pattern_of(failure.first.verdict);
  explanation.sentence = first_error_line(build.text);
  Finding finding = make_finding(plan.target, std::move(failure), std::move(explanation));
  const int index = add_finding(result.findings, std::move(finding), plan, options);
  for (EntryResult& entry : result.entries) entry.finding = index;
  result.first_finding = static_cast<std::int64_t>(plan.numbers.front()) + 1;
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    result.fixed_shape.push_back({rule.name, rule.values, false, "the kernel does not build", 0});
  }
}

/// What passes with the base's code says nothing of the head's.
void refuse_base_files(const TargetPlan& plan, BuildOutcome& build) {
  if (!plan.has_base || build.kind != Kind::pass) return;
  const std::string file = file_of_other_side({plan.head_root, plan.base_root}, plan.target);
  if (file.empty()) return;
  build = {Kind::build_failed, "error: it takes in a file of the base revision: " + file, {}};
}

void take_failures(Executor& executor, const TargetPlan& plan, CheckOptions options,
                   const EntriesRun& run, TargetResult& result) {
  Confirmers confirmers(executor, options.session, options.profile);
  options.confirmers = &confirmers;
  std::vector<FailureGroup> groups = group_failures(run.judged);
  Evidence evidence(executor, run.judged);
  result.findings = find_failures(evidence, plan, options, run.judged, groups);
  link_findings(plan, run, groups, result);
  take_seeds(evidence, plan, options, result);
}

void take_built(Executor& executor, const TargetPlan& plan, const CheckOptions& options,
                TargetResult& result) {
  for (const Seed& seed : plan.seeds) {
    if (options.limits.over()) {
      const BuildOutcome left{Kind::not_checked, options.limits.reason(), {}};
      result.seeds.push_back(replay_unbuilt(seed, left));
    } else {
      result.seeds.push_back(replay_seed(executor, seed));
    }
  }
  const EntriesRun run = run_entries(executor, plan, options);
  result.seconds_by_strategy = run.seconds;
  take_entries(plan, run, result);
  result.coverage = coverage_of(plan, run.judged);
  if (!options.limits.over()) {
    result.coverage.null_kernels = tally_null_kernels(executor, plan);
    result.coverage.slack = measure_slack(executor, plan);
  }
  take_failures(executor, plan, options, run, result);
  sanitize_entries(executor, plan, options, result);
  measure(executor, plan, options, result);
  add_sanitizer_words(executor, options, result);
}

}  // namespace

TargetResult check_target(const TargetPlan& plan, const CheckOptions& given) {
  CheckOptions options = given;
  std::optional<BaseKernel> base;
  if (plan.has_base) {
    const SideRoots roots{plan.base_root, plan.head_root};
    base.emplace(plan.base, options.session, options.profile, roots);
  }
  if (base) options.base = &*base;
  const auto begin = Clock::now();
  const Target& target = plan.target;
  TargetResult result;
  start_entries(plan, result);
  result.coverage = coverage_of(plan, {});
  BuildOutcome build{Kind::not_checked, options.limits.reason(), {}};
  if (!options.limits.over()) {
    prepare_worker(target.device, options.session);
    build = build_kernel(*target.op, *target.kernel, target.column, target.device);
    refuse_base_files(plan, build);
  }
  result.build = build.kind;
  result.build_text = build.text;
  if (build.kind == Kind::pass) {
    Executor executor(target, std::move(build), options.session, options.profile);
    take_built(executor, plan, options, result);
    result.device_facts = executor.device_facts();
  } else {
    take_unbuilt(plan, options, build, result);
  }
  conclude(result);
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace gate
