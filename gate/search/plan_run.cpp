// Many cases over one session: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/plan_run.h"

namespace gate {

PlanRun::PlanRun(Session& session, const RunContext& context, const std::vector<Entry>& plan,
                 const Done& done)
    : session_(session),
      context_(context),
      plan_(plan),
      ahead_(context, plan, threads_ahead(plan.size())),
      done_(done) {}

void PlanRun::run() {
  // A stream that was told "no more" asks no further: follow-ups of its last jobs get a new one.
  while (prepare()) {
    sent_.clear();
    session_.stream(
        [this] { return next(); },
        [this](std::size_t number, Outcome outcome) { take(number, std::move(outcome)); });
  }
}

/// Starts cases until a job is ready; false if there are no more.
bool PlanRun::prepare() {
  while (ready_.empty() && !stopped_ && next_entry_ < plan_.size()) {
    auto flight = std::make_shared<Flight>(Flight{next_entry_, ahead_.take(next_entry_)});
    ++next_entry_;
    follow(flight, flight->run.start());
  }
  return !ready_.empty();
}

std::optional<Job> PlanRun::next() {
  if (!prepare()) return std::nullopt;
  Ready first = std::move(ready_.front());
  ready_.pop_front();
  sent_.push_back({std::move(first.flight), first.number});
  return std::move(first.job);
}

void PlanRun::take(std::size_t number, Outcome outcome) {
  doubtful_ = doubtful_ || leaves_doubt(outcome);
  if (stopped_) return;
  const Sent sent = std::move(sent_[number]);
  follow(sent.flight, sent.flight->run.take(sent.number, std::move(outcome)));
}

void PlanRun::follow(const std::shared_ptr<Flight>& flight,
                     std::vector<std::pair<std::size_t, Job>> jobs) {
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    ready_.push_front({flight, job->first, std::move(job->second)});
  }
  if (!flight->run.finished()) return;
  ++judged_;
  const Entry& entry = plan_[flight->entry];
  Verdict verdict = flight->run.take_verdict();
  Case shown = case_showing(entry.test_case, verdict);
  if (done_({flight->entry, entry.strategy, std::move(shown), std::move(verdict)})) return;
  stopped_ = true;
  ready_.clear();
}

bool leaves_doubt(const Outcome& outcome) {
  return colour(outcome.end) == Colour::red && !outcome.worker_lost;
}

}  // namespace gate
