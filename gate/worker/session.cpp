// Session: one loaded worker, one journal, and streams over them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/worker/pool.h"
#include "gate/worker/stream.h"

namespace gate {

namespace {

SessionOptions sane(SessionOptions options) {
  constexpr int slots_max = 64;
  options.slots = std::clamp(options.slots, 1, slots_max);
  options.case_timeout_ms = std::max<std::int64_t>(options.case_timeout_ms, 1);
  return options;
}

}  // namespace

struct Session::State {
  State(Image image, const SessionOptions& options)
      : worker(std::move(image), options),
        journal(options.journal),
        patience(std::chrono::milliseconds(options.case_timeout_ms)) {}
  LoadedWorker worker;
  Journal journal;
  Patience patience;
};

Session::Session(Image image, SessionOptions options)
    : state_(std::make_unique<State>(std::move(image), sane(std::move(options)))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::stream(const std::function<std::optional<Job>()>& next,
                     const std::function<void(std::size_t, Outcome)>& done) {
  Stream({state_->worker, state_->journal, state_->patience}, next, done).run();
}

Outcome Session::run(const Job& job) {
  bool given = false;
  Outcome outcome;
  stream(
      [&]() -> std::optional<Job> {
        if (given) return {};
        given = true;
        return job;
      },
      [&](std::size_t, Outcome result) { outcome = std::move(result); });
  return outcome;
}

void Session::restart() {
  state_->worker.end();
  state_->worker.forget_refusal();
  state_->patience.reset();
}

void Session::prepare_restarts(int count) { state_->worker.prepare(count); }

const std::string& Session::device_facts() const { return state_->worker.facts(); }

}  // namespace gate
