// One case on its way to a verdict: which jobs it needs next, what their outcomes mean. Knows no
// worker, so that single cases and pipelined plans share it and tests need no process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/oracle/laws.h"
#include "gate/search/search.h"

namespace gate {

/// What all cases of a target share.
struct RunContext {
  const Target& target;
  bool has_schedules = false;     // the device obeys schedules
  bool schedules_matter = false;  // and the kernel has shared memory or atomics
  std::function<Result<Expected>(const Inputs&)> reference;
  bool reference_is_pure = false;  // may be called by several threads
  bool briefly = false;  // a red case runs under one further schedule, its kind is not final
};

class CaseRun {
 public:
  CaseRun(const RunContext& context, Case value, std::vector<Schedule> siblings);

  /// Does ahead what needs no worker: inputs, and expected values where the reference is pure. On
  /// any thread, before `start`.
  void prepare();
  /// Jobs to send now; each is answered by `take` with its number, in any order.
  std::vector<std::pair<std::size_t, Job>> start();
  std::vector<std::pair<std::size_t, Job>> take(std::size_t number, Outcome outcome);
  bool finished() const { return finished_; }
  const Case& test_case() const { return case_; }
  Verdict take_verdict() { return std::move(verdict_); }

 private:
  enum class Stage { base, second_poison, siblings, law, law_siblings };
  using Jobs = std::vector<std::pair<std::size_t, Job>>;

  Job job_for(const Inputs& inputs, const Schedule& schedule) const;
  void send(Jobs& jobs, Job job);
  Jobs advance();
  Jobs after_base();
  Jobs after_value();
  Jobs after_siblings();
  Jobs start_law();
  Jobs after_law();
  Jobs finish();
  Jobs finish_with(Kind kind, std::string text);
  std::vector<Schedule> further_runs() const;
  Jobs send_siblings(Stage stage);
  bool fold_siblings();
  bool same_as_base(const Outcome& sibling, const Schedule& schedule);
  bool ensure_expected();
  Judging judging() const;
  const Outcome* second_poison() const;

  const RunContext& context_;
  Case case_;
  std::vector<Schedule> siblings_;  // asked for
  Inputs inputs_;
  std::string digest_;  // of the inputs; empty: not computed yet
  std::optional<Expected> expected_;
  Verdict verdict_;
  Kind base_kind_ = Kind::pass;  // of the base run, before laws and siblings had their say
  Stage stage_ = Stage::base;
  std::size_t pending_ = 0;
  bool finished_ = false;
  bool prepared_ = false;          // the case is legal, inputs_ are made
  std::vector<Outcome> outcomes_;  // by job number; 0 is the base
  std::size_t second_poison_ = 0;  // job numbers; 0: not run
  std::size_t siblings_begin_ = 0, law_begin_ = 0;
  std::vector<Schedule> run_schedules_;  // of the sibling jobs
  std::optional<LawRun> law_run_;
};

}  // namespace gate
