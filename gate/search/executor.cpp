// Driving case runs over a session: one at a time, or a whole plan with several in flight.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "gate/search/expected_source.h"
#include "gate/search/plan_run.h"
#include "gate/search/schedules.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

constexpr std::size_t cached_verdicts_max = 1000;

std::string cache_key(const Case& value, const std::vector<Schedule>& siblings) {
  std::string key = to_text(value);
  for (const Schedule& schedule : siblings) {
    Case sibling = value;
    sibling.schedule = schedule;
    key += "\n" + to_text(sibling);
  }
  return key;
}

Verdict build_verdict(const BuildOutcome& build, const Case& value) {
  Verdict verdict;
  verdict.kind = build.kind;
  verdict.property = property_build;
  verdict.text = build.text;
  verdict.schedule = value.schedule;
  verdict.discriminating = false;
  return verdict;
}

}  // namespace

struct Executor::State {
  State(Target wanted, BuildOutcome built, const SessionOptions& options, Profile chosen)
      : target(std::move(wanted)),
        build(std::move(built)),
        profile(std::move(chosen)),
        reference(*target.op, target.column, options),
        session(build.image, options),
        context{target, has_schedules(target.device),
                has_schedules(target.device) && build.image.uses_shared_or_atomics,
                [this](const Inputs& inputs) { return reference.expected(inputs); },
                reference.is_pure(), false} {}

  /// Devices that are slow to open say themselves when they are lost; others are cheap to reopen.
  void restart_in_doubt() {
    if (!starts_slowly(target.device)) session.restart();
  }

  Outcome run(const Job& job) {
    Outcome outcome = session.run(job);
    if (leaves_doubt(outcome)) restart_in_doubt();
    return outcome;
  }

  /// One case to its end; a device error ends the worker before anything else runs on it.
  Verdict drive(const Case& value, const std::vector<Schedule>& siblings) {
    const std::vector<Entry> plan = {{"", value, siblings}};
    Verdict verdict;
    const PlanRun::Done done = [&](Judged judged) {
      verdict = std::move(judged.verdict);
      return true;
    };
    PlanRun run(session, context, plan, done);
    run.run();
    if (run.doubtful()) restart_in_doubt();
    ++executions;
    return verdict;
  }

  void remember(const std::string& key, const Verdict& verdict) {
    if (cache.size() >= cached_verdicts_max) cache.clear();
    cache[key] = verdict;
  }

  Target target;
  BuildOutcome build;
  Profile profile;
  ExpectedSource reference;
  Session session;
  RunContext context;
  std::map<std::string, Verdict> cache;
  std::size_t executions = 0;
};

Executor::Executor(Target target, BuildOutcome build, SessionOptions options, Profile profile)
    : state_(std::make_unique<State>(std::move(target), std::move(build), options,
                                     std::move(profile))) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

Verdict Executor::execute(const Case& value, const std::vector<Schedule>& siblings) {
  const std::string key = cache_key(value, siblings);
  const auto known = state_->cache.find(key);
  if (known != state_->cache.end()) return known->second;
  Verdict verdict = execute_again(value, siblings);
  state_->remember(key, verdict);
  return verdict;
}

Verdict Executor::execute_briefly(const Case& value) {
  if (!state_->context.schedules_matter || state_->build.kind != Kind::pass) return execute(value);
  const std::string key = "briefly " + to_text(value);
  const auto known = state_->cache.find(key);
  if (known != state_->cache.end()) return known->second;
  state_->context.briefly = true;
  Verdict verdict = state_->drive(value, {});
  state_->context.briefly = false;
  state_->remember(key, verdict);
  return verdict;
}

Verdict Executor::execute_again(const Case& value, const std::vector<Schedule>& siblings) {
  if (state_->build.kind != Kind::pass) return build_verdict(state_->build, value);
  return state_->drive(value, siblings);
}

void Executor::execute_plan(const std::vector<Entry>& plan,
                            const std::function<bool(Judged)>& done) {
  State& state = *state_;
  if (state.build.kind != Kind::pass) {
    if (plan.empty()) return;
    const Entry& first = plan.front();
    done({0, first.strategy, first.test_case, build_verdict(state.build, first.test_case)});
    return;
  }
  PlanRun run(state.session, state.context, plan, done);
  run.run();
  state.executions += run.judged();
  if (run.doubtful()) state.restart_in_doubt();
}

Outcome Executor::outcome_of(const Case& value) {
  Job job;
  job.inputs = inputs_of(value);
  job.schedule = value.schedule;
  job.journal_line = to_text(value);
  return state_->run(job);
}

Outcome Executor::zeroed_outcome_of(const Case& value) {
  Job job;
  job.inputs = inputs_of(value);
  job.schedule = value.schedule;
  job.journal_line = to_text(value);
  job.zeroed = true;
  return state_->run(job);
}

Expected Executor::expected_of(const Case& value) {
  Result<Expected> expected = state_->reference.expected(inputs_of(value));
  return expected ? std::move(*expected) : Expected{};
}

Result<Expected> Executor::reference(const Inputs& inputs) {
  return state_->reference.expected(inputs);
}

Inputs Executor::inputs_of(const Case& value) {
  return make_inputs(value, *state_->target.op, state_->target.kernel);
}

std::size_t Executor::executions() const { return state_->executions; }
void Executor::restart() { state_->session.restart(); }
void Executor::prepare_restarts(int count) { state_->session.prepare_restarts(count); }
const Target& Executor::target() const { return state_->target; }
const BuildOutcome& Executor::build() const { return state_->build; }
std::optional<Failure> Executor::reference_problem() { return state_->reference.problem(); }
const std::string& Executor::device_facts() const { return state_->session.device_facts(); }

}  // namespace gate
