// The stages of a case: base, second poison, siblings, law.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/case_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/search/schedules.h"

namespace gate {
namespace {

constexpr std::size_t schedules_of_red = 3;   // DESIGN: before a red kind is fixed
constexpr std::size_t repeats_of_repeat = 3;  // runs on the same bytes of a `repeat` case

const Expected nothing_expected;

bool is_repeat(const Case& value) { return value.property == property_repeat; }

/// Kinds that further runs can tell from a race. Not those that only cost time.
bool worth_repeating(Kind kind) {
  switch (kind) {
    case Kind::timeout:
    case Kind::launch_failed:
    case Kind::build_failed:
    case Kind::nondeterministic:
      return false;
    default:
      return colour(kind) != Colour::grey;
  }
}

std::string schedule_text(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::ascending:
      return "ascending";
    case Schedule::Order::descending:
      return "descending";
    case Schedule::Order::shuffled:
      return fmt::format("shuffled {:#x}", schedule.key);
  }
  return {};
}

std::string law_of(const Case& value) {
  const bool is_law = value.property.starts_with(property_law_prefix);
  return is_law ? value.property.substr(property_law_prefix.size()) : std::string();
}

}  // namespace

CaseRun::CaseRun(const RunContext& context, Case value, std::vector<Schedule> siblings)
    : context_(context), case_(std::move(value)), siblings_(std::move(siblings)) {}

Job CaseRun::job_for(const Inputs& inputs, const Schedule& schedule) const {
  Job job;
  job.inputs = inputs;
  job.schedule = schedule;
  Case line = case_;
  line.schedule = schedule;
  job.journal_line = to_text(line);
  return job;
}

void CaseRun::send(Jobs& jobs, Job job) {
  jobs.emplace_back(outcomes_.size(), std::move(job));
  outcomes_.emplace_back();
  ++pending_;
}

void CaseRun::prepare() {
  const auto& [op, kernel] = std::pair(context_.target.op, context_.target.kernel);
  if (prepared_ || !validate(case_, *op, kernel)) return;
  inputs_ = make_inputs(case_, *op, kernel);
  digest_ = input_digest(inputs_);
  prepared_ = true;
  if (!context_.reference_is_pure) return;
  if (Result<Expected> expected = context_.reference(inputs_)) expected_ = std::move(*expected);
}

CaseRun::Jobs CaseRun::start() {
  const auto& [op, kernel] = std::pair(context_.target.op, context_.target.kernel);
  if (!prepared_) {
    if (const Result<Done> legal = validate(case_, *op, kernel); !legal) {
      return finish_with(Kind::not_checked, "not a legal case: " + to_text(legal.failure()));
    }
    inputs_ = make_inputs(case_, *op, kernel);
  }
  Jobs jobs;
  send(jobs, job_for(inputs_, case_.schedule));
  return jobs;
}

CaseRun::Jobs CaseRun::take(std::size_t number, Outcome outcome) {
  check(number < outcomes_.size() && pending_ > 0, "every outcome answers a job that was sent");
  outcomes_[number] = std::move(outcome);
  return --pending_ == 0 ? advance() : Jobs{};
}

CaseRun::Jobs CaseRun::advance() {
  switch (stage_) {
    case Stage::base:
      return after_base();
    case Stage::second_poison:
      return after_value();
    case Stage::siblings:
      fold_siblings();
      return after_siblings();
    case Stage::law:
      return after_law();
    case Stage::law_siblings:
      fold_siblings();
      return finish();
  }
  return {};
}

CaseRun::Jobs CaseRun::after_base() {
  if (outcomes_.front().end != Kind::pass) return after_value();
  if (!ensure_expected()) return finish();
  const Judging facts = judging();
  if (!needs_second_poison({facts, outcomes_.front()})) return after_value();
  Jobs jobs;
  Job job = job_for(inputs_, case_.schedule);
  job.second_poison = true;
  stage_ = Stage::second_poison;
  second_poison_ = outcomes_.size();
  send(jobs, std::move(job));
  return jobs;
}

CaseRun::Jobs CaseRun::after_value() {
  const Judging facts = judging();
  verdict_ = judge({facts, outcomes_.front(), second_poison()});
  base_kind_ = verdict_.kind;
  Jobs jobs = send_siblings(Stage::siblings);
  return jobs.empty() ? after_siblings() : jobs;
}

CaseRun::Jobs CaseRun::after_siblings() {
  if (verdict_.kind != Kind::pass || law_of(case_).empty()) return finish();
  return start_law();
}

CaseRun::Jobs CaseRun::start_law() {
  const LawSubject subject{case_, inputs_, *context_.target.op, *context_.target.kernel};
  law_run_ = transform(law_of(case_), subject);
  verdict_.property = case_.property;
  if (!law_run_) return finish();
  stage_ = Stage::law;
  law_begin_ = outcomes_.size();
  Jobs jobs;
  send(jobs, job_for(law_run_->transformed, case_.schedule));
  if (law_run_->base) send(jobs, job_for(*law_run_->base, case_.schedule));
  return jobs;
}

CaseRun::Jobs CaseRun::after_law() {
  const Result<Expected> transformed = context_.reference(law_run_->transformed);
  if (!transformed) return finish_with(Kind::not_checked, to_text(transformed.failure()));
  Expected base_expected = *expected_;
  if (law_run_->base) {
    const Result<Expected> base = context_.reference(*law_run_->base);
    if (!base) return finish_with(Kind::not_checked, to_text(base.failure()));
    base_expected = *base;
  }
  const Outcome& base = law_run_->base ? outcomes_[law_begin_ + 1] : outcomes_.front();
  Verdict verdict =
      judge_law(law_of(case_),
                {*law_run_, base, outcomes_[law_begin_], base_expected, *transformed}, judging());
  if (verdict.kind == Kind::pass) return finish();
  verdict_ = std::move(verdict);
  // Siblings of a green base may be due now: a race breaks laws too.
  Jobs jobs = siblings_begin_ == 0 ? send_siblings(Stage::law_siblings) : Jobs{};
  return jobs.empty() ? finish() : jobs;
}

CaseRun::Jobs CaseRun::finish() {
  finished_ = true;
  verdict_.input_digest = digest_.empty() ? input_digest(inputs_) : std::move(digest_);
  return {};
}

CaseRun::Jobs CaseRun::finish_with(Kind kind, std::string text) {
  verdict_ = Verdict();
  verdict_.kind = kind;
  verdict_.property = case_.property;
  verdict_.text = std::move(text);
  verdict_.schedule = case_.schedule;
  verdict_.discriminating = false;
  return finish();
}

/// Schedules still to be run, given the verdict so far; the same one again where none differ.
std::vector<Schedule> CaseRun::further_runs() const {
  if (!worth_repeating(verdict_.kind)) return {};
  const bool red = colour(verdict_.kind) == Colour::red;
  std::vector<Schedule> runs = siblings_;
  std::size_t least = is_repeat(case_) ? repeats_of_repeat : red ? 1 : 0;
  if (red && context_.schedules_matter && !context_.briefly) {
    // Shuffles are watched, at many times the cost; the shrunk case gets them in any event.
    const Target& target = context_.target;
    const bool small = is_small_to_watch(case_, *target.op, *target.kernel);
    least = small ? schedules_of_red : 1;
  }
  if (!context_.has_schedules) {
    runs.assign(std::max(least, siblings_.size()), case_.schedule);
    return runs;
  }
  if (!context_.schedules_matter && !is_repeat(case_)) {
    while (runs.size() < least) runs.push_back(case_.schedule);
    return runs;
  }
  for (const Schedule& schedule : further_schedules(case_, least + siblings_.size())) {
    const bool known = std::find(runs.begin(), runs.end(), schedule) != runs.end();
    if (runs.size() < least && !known) runs.push_back(schedule);
  }
  return runs;
}

CaseRun::Jobs CaseRun::send_siblings(Stage stage) {
  Jobs jobs;
  run_schedules_ = further_runs();
  if (run_schedules_.empty()) return jobs;
  stage_ = stage;
  siblings_begin_ = outcomes_.size();
  for (const Schedule& schedule : run_schedules_) send(jobs, job_for(inputs_, schedule));
  if (is_repeat(case_)) {  // a second call on the same memory, as programs do
    Job job = job_for(inputs_, case_.schedule);
    job.repeat = 2;
    run_schedules_.push_back(case_.schedule);
    send(jobs, std::move(job));
  }
  return jobs;
}

/// True, and the verdict is nondeterministic, where a sibling tells another story than the base.
bool CaseRun::fold_siblings() {
  for (std::size_t i = 0; i < run_schedules_.size(); ++i) {
    if (!same_as_base(outcomes_[siblings_begin_ + i], run_schedules_[i])) return true;
  }
  return false;
}

bool CaseRun::same_as_base(const Outcome& sibling, const Schedule& schedule) {
  if (colour(sibling.end) == Colour::grey) return true;
  if (sibling.end == Kind::pass && !ensure_expected()) return true;
  const Judging facts = judging();
  Verdict other = judge({facts, sibling, second_poison()});
  std::string text;
  if (other.kind != base_kind_) {
    text = fmt::format("{} under schedule {}, {} under {}", name(base_kind_),
                       schedule_text(case_.schedule), name(other.kind), schedule_text(schedule));
    if (schedule == case_.schedule) {
      text = fmt::format("{} in one run, {} in another on the same bytes", name(base_kind_),
                         name(other.kind));
    }
  } else if (sibling.end == Kind::pass) {
    text = difference(outcomes_.front(), sibling, facts).value_or("");
  }
  if (text.empty()) return true;
  const bool base_is_red = colour(base_kind_) == Colour::red;
  if (!base_is_red) {
    verdict_ = std::move(other);
    verdict_.schedule = schedule;
  }
  verdict_.kind = Kind::nondeterministic;
  verdict_.property = property_repeat;
  verdict_.text = std::move(text);
  return false;
}

/// False, and the verdict says why, where the reference cannot be had.
bool CaseRun::ensure_expected() {
  if (expected_) return true;
  Result<Expected> expected = context_.reference(inputs_);
  if (!expected) {
    verdict_.kind = Kind::not_checked;
    verdict_.property = case_.property;
    verdict_.text = to_text(expected.failure());
    verdict_.schedule = case_.schedule;
    return false;
  }
  expected_ = std::move(*expected);
  return true;
}

Judging CaseRun::judging() const {
  const Target& target = context_.target;
  return {*target.op, target.column, target.tolerance, case_,
          expected_ ? *expected_ : nothing_expected};
}

const Outcome* CaseRun::second_poison() const {
  return second_poison_ == 0 ? nullptr : &outcomes_[second_poison_];
}

}  // namespace gate
