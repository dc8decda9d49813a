// The loop of a session. A worker's death is believed to be a job's fault only if that job, alone
// in a fresh worker, ends it again.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/stream.h"

#include <algorithm>
#include <csignal>
#include <limits>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr int losses_max = 2;
/// SIGKILL is what an out-of-memory killer or a person sends: believed only when it persists.
constexpr int kills_max = 6;
/// A starved worker is waited for at most so many deadlines longer.
constexpr int starved_times_max = 20;
constexpr auto starved_step_min = std::chrono::milliseconds(50);
/// Workers that die between jobs are the machine's matter.
constexpr int returns_max = 12;

RunRequest run_request(const Job& job, std::uint64_t number, int slot) {
  RunRequest request;
  request.job = number;
  request.slot = slot;
  request.tensors.reserve(job.inputs.tensors.size());
  for (const Tensor& tensor : job.inputs.tensors) {
    request.tensors.push_back(
        {tensor.name, tensor.role, tensor.dtype, tensor.view, tensor.storage.size()});
  }
  request.axes = job.inputs.axes;
  request.attributes = job.inputs.attributes;
  request.schedule = job.schedule;
  request.repeat = job.repeat;
  return request;
}

}  // namespace

Stream::Stream(const Context& context, const Next& next, const Done& done)
    : worker_(context.worker),
      journal_(context.journal),
      patience_(context.patience),
      next_(next),
      done_(done) {}

void Stream::run() {
  for (;;) {
    fill();
    if (!flying_.empty()) {
      step();
    } else if (waiting_.empty() && exhausted_) {
      return;
    }
  }
}

/// Sends what may be sent now. A suspect flies alone, in a worker that has run nothing else.
void Stream::fill() {
  const auto slots = static_cast<std::size_t>(worker_.options().slots);
  while (flying_.size() < slots) {
    if (!flying_.empty() && flying_.front().losses > 0) return;
    if (waiting_.empty() && !pull()) return;
    const Flight& first = waiting_.front();
    const bool suspect = first.losses > 0;
    if (!flying_.empty() && (suspect || !worker_.fits(first.layout.bytes))) return;
    if (suspect) worker_.end();
    Flight flight = std::move(waiting_.front());
    waiting_.pop_front();
    if (auto problem = worker_.ensure(flight.layout.bytes)) {
      answer(flight, std::move(*problem));
    } else if (!launch(std::move(flight))) {
      return;
    }
  }
}

bool Stream::pull() {
  if (exhausted_) return false;
  std::optional<Job> job = next_();
  if (!job) {
    exhausted_ = true;
    return false;
  }
  Flight flight;
  flight.number = pulled_++;
  flight.job = std::move(*job);
  const auto layout =
      slot_layout(tensor_bytes(flight.job.inputs), std::numeric_limits<std::ptrdiff_t>::max());
  check(layout.has_value(), "tensors that exist fit into the address space");
  flight.layout = *layout;
  waiting_.push_back(std::move(flight));
  return true;
}

/// False when the worker took no message.
bool Stream::launch(Flight flight) {
  flight.slot = free_slot();
  flight.begun = false;
  const std::string message = encode(run_request(flight.job, flight.number, flight.slot));
  if (message.size() > message_bytes_max) {
    answer(flight, failed_outcome(Kind::unsupported, "the job's description is over 64 KiB"));
    return true;
  }
  fill_slot(worker_.process().slot(flight.slot), flight.layout, flight.job);
  if (!flight.job.journal_line.empty()) journal_.write(flight.job.journal_line);
  if (flying_.empty()) made_progress();
  flying_.push_back(std::move(flight));
  // A worker that is gone may have left messages: what it began and finished is read before it is
  // counted as lost, in step().
  return worker_.process().send(message, deadline()) == WorkerProcess::Event::message;
}

/// One message, death or missed deadline.
void Stream::step() {
  std::string_view text;
  switch (worker_.process().receive(text, deadline())) {
    case WorkerProcess::Event::message: {
      const auto message = parse_from_worker(text);
      if (message) return handle(*message);
      return lose_broken(message.failure().problems.front().text);
    }
    case WorkerProcess::Event::closed: {
      const Death death = worker_.end();
      return lose({Kind::crash, "the worker " + death.text, death.signal == SIGKILL});
    }
    case WorkerProcess::Event::late: {
      if (was_starved()) return;
      worker_.end();
      const auto ms = std::chrono::ceil<std::chrono::milliseconds>(patience_.time()).count();
      return lose({Kind::timeout, "no result within " + std::to_string(ms) + " ms", false});
    }
  }
}

void Stream::handle(const FromWorker& message) {
  if (const auto* begun = std::get_if<Begun>(&message)) return begin(*begun);
  if (const auto* finished = std::get_if<Finished>(&message)) return finish(*finished);
  lose_broken("message out of turn");
}

void Stream::begin(const Begun& begun) {
  const auto flight = flight_of(begun.job);
  if (flight == flying_.end() || flight->begun) {
    return lose_broken("begin of a job that is not waiting");
  }
  flight->begun = true;
  made_progress();
  flight->begun_at = progress_;
}

void Stream::finish(const Finished& finished) {
  const auto found = flight_of(finished.job);
  if (found == flying_.end() || !found->begun) return lose_broken("result of a job not begun");
  made_progress();
  if (finished.device_lost) {
    worker_.end();
    // Every job begun shares the device: each is repeated by itself.
    return lose({finished.error == Kind::pass ? Kind::crash : finished.error,
                 clean_text(finished.text, message_text_max), false});
  }
  const Flight flight = std::move(*found);
  flying_.erase(found);
  patience_.finished(progress_ - flight.begun_at);
  Outcome outcome;
  outcome.end = finished.error;
  outcome.kernel_us = finished.kernel_us;
  outcome.worker_lost = flight.losses > 0;
  if (!finished.text.empty()) outcome.text = clean_text(finished.text, message_text_max);
  if (outcome.end == Kind::pass) {
    read_slot(worker_.process().slot(flight.slot), flight.layout, flight.job, outcome);
  }
  done_(flight.number, std::move(outcome));
}

void Stream::lose_broken(const std::string& what) {
  worker_.end();
  lose({Kind::crash, "the worker broke the protocol: " + what, false});
}

/// The worker is gone: begun jobs are suspects, the others wait as if never sent.
void Stream::lose(const Loss& loss) {
  std::vector<Flight> flights = std::move(flying_);
  flying_.clear();
  const auto innocent = std::stable_partition(flights.begin(), flights.end(),
                                              [](const Flight& flight) { return flight.begun; });
  const bool has_suspect = innocent != flights.begin();
  for (auto flight = flights.rbegin(); flight != flights.rend(); ++flight) {
    if (flight->begun) {
      flight->losses += 1;
      flight->kills += loss.by_kill ? 1 : 0;
    } else {
      flight->returns += has_suspect ? 0 : 1;
    }
    const bool believed =
        flight->losses - flight->kills >= losses_max || flight->losses >= kills_max;
    if (believed) {
      Outcome outcome = failed_outcome(loss.kind, loss.text);
      outcome.worker_lost = true;
      if (loss.kind == Kind::timeout) patience_.hang_believed();
      answer(*flight, std::move(outcome));
    } else if (flight->returns >= returns_max) {
      answer(*flight, failed_outcome(Kind::environment,
                                     "workers keep ending before the job begins: " + loss.text));
    } else {
      waiting_.push_front(std::move(*flight));
    }
  }
}

void Stream::answer(const Flight& flight, Outcome outcome) {
  done_(flight.number, std::move(outcome));
}

std::vector<Stream::Flight>::iterator Stream::flight_of(std::uint64_t job) {
  return std::find_if(flying_.begin(), flying_.end(),
                      [job](const Flight& flight) { return flight.number == job; });
}

int Stream::free_slot() const {
  for (int slot = 0;; ++slot) {
    const bool taken = std::any_of(flying_.begin(), flying_.end(),
                                   [slot](const Flight& flight) { return flight.slot == slot; });
    if (!taken) return slot;
  }
}

Deadline Stream::deadline() const { return progress_ + patience_.time() + grace_; }

void Stream::made_progress() {
  progress_ = std::chrono::steady_clock::now();
  processor_time_ = worker_.process().processor_time();
  grace_ = {};
}

/// On a busy machine a deadline passes though the kernel hardly ran: a worker that still wants a
/// processor gets the time it was kept waiting, within reason.
bool Stream::was_starved() {
  const auto full = patience_.time();
  const auto ran = worker_.process().processor_time() - processor_time_;
  if (ran >= full || grace_ >= full * starved_times_max) return false;
  if (!worker_.process().wants_processor()) return false;
  grace_ += std::max<Deadline::duration>(full - ran, starved_step_min);
  return true;
}

}  // namespace gate
