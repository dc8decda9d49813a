// Many cases over one session: jobs of several cases in flight, follow-ups before new cases.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gate/search/ahead.h"

namespace gate {

class PlanRun {
 public:
  using Done = std::function<bool(Judged)>;

  PlanRun(Session& session, const RunContext& context, const std::vector<Entry>& plan,
          const Done& done);
  /// Until every case has its verdict or `done` has returned false.
  void run();
  std::size_t judged() const { return judged_; }
  /// Whether a device error may have left the worker in an unknown state.
  bool doubtful() const { return doubtful_; }

 private:
  struct Flight {
    std::size_t entry = 0;
    CaseRun run;
  };
  struct Ready {
    std::shared_ptr<Flight> flight;
    std::size_t number = 0;
    Job job;
  };
  struct Sent {
    std::shared_ptr<Flight> flight;
    std::size_t number = 0;
  };

  bool prepare();
  std::optional<Job> next();
  void take(std::size_t number, Outcome outcome);
  void follow(const std::shared_ptr<Flight>& flight, std::vector<std::pair<std::size_t, Job>> jobs);

  Session& session_;
  const RunContext& context_;
  const std::vector<Entry>& plan_;
  Ahead ahead_;
  const Done& done_;
  std::deque<Ready> ready_;
  std::vector<Sent> sent_;
  std::size_t next_entry_ = 0, judged_ = 0;
  bool stopped_ = false, doubtful_ = false;
};

/// A red end that the worker survived: what it says afterwards may be worthless.
bool leaves_doubt(const Outcome& outcome);

}  // namespace gate
