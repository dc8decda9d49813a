// Jobs in flight on one worker: who is sent when, who is blamed for a death, who is repeated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "gate/worker/journal.h"
#include "gate/worker/loaded_worker.h"
#include "gate/worker/patience.h"
#include "gate/worker/slot.h"
#include "gate/worker/wire.h"

namespace gate {

class Stream {
 public:
  using Next = std::function<std::optional<Job>()>;
  using Done = std::function<void(std::size_t, Outcome)>;

  /// What of a session outlives a stream.
  struct Context {
    LoadedWorker& worker;
    Journal& journal;
    Patience& patience;
  };
  Stream(const Context& context, const Next& next, const Done& done);
  /// Until `next` has no more and every job is answered.
  void run();

 private:
  struct Flight {
    std::size_t number = 0;
    Job job;
    SlotLayout layout;
    int slot = -1;
    bool begun = false;
    Deadline begun_at;
    int losses = 0;   // workers that died or were killed while it ran
    int kills = 0;    // of these: by SIGKILL from outside
    int returns = 0;  // workers that died while no job ran
  };
  /// Why a worker is gone, as far as it concerns the jobs it had.
  struct Loss {
    Kind kind = Kind::crash;
    std::string text;
    bool by_kill = false;
  };

  void fill();
  bool pull();
  bool launch(Flight flight);
  void step();
  void handle(const FromWorker& message);
  void begin(const Begun& begun);
  void finish(const Finished& finished);
  void lose(const Loss& loss);
  void lose_broken(const std::string& what);
  void answer(const Flight& flight, Outcome outcome);
  std::vector<Flight>::iterator flight_of(std::uint64_t job);
  int free_slot() const;
  Deadline deadline() const;
  void made_progress();
  bool was_starved();

  LoadedWorker& worker_;
  Journal& journal_;
  Patience& patience_;
  const Next& next_;
  const Done& done_;
  std::size_t pulled_ = 0;
  bool exhausted_ = false;
  std::deque<Flight> waiting_;  // to be sent, those under suspicion first
  std::vector<Flight> flying_;
  Deadline progress_;                          // last time the worker did something
  std::chrono::nanoseconds processor_time_{};  // of the worker, then
  Deadline::duration grace_{};                 // added to the deadline: it had to wait since
};

}  // namespace gate
