// Runs plans: executes, judges, shrinks, confirms. Yields raw failures, not findings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/cases/plan.h"
#include "gate/oracle/verdict.h"
#include "gate/spec/tolerance.h"
#include "gate/worker/pool.h"

namespace gate {

/// One (kernel, column) to check on one device.
struct Target {
  const OpSchema* op = nullptr;
  const KernelSpec* kernel = nullptr;
  std::string column;
  std::string device;
  Tolerance tolerance;
};

/// Everything known of one judged case. A nondeterministic one carries the property `repeat` and
/// the schedule that showed it, so that executing it alone shows it again.
struct Judged {
  std::size_t number = 0;  // position in the plan
  std::string strategy;
  Case test_case;
  Verdict verdict;
};

/// Executes single cases of a target, with cache: shrink, replay, explain and study share it.
class Executor {
 public:
  Executor(Target target, BuildOutcome build, SessionOptions options, Profile profile);
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  /// Full verdict: laws, repeats and second poison where needed. `siblings`: further schedules.
  Verdict execute(const Case& value, const std::vector<Schedule>& siblings = {});
  /// As execute, but a red case runs under one further schedule only, so that a race may look like
  /// another kind: for steps whose result is executed in full.
  Verdict execute_briefly(const Case& value);
  /// As execute, but never from the cache.
  Verdict execute_again(const Case& value, const std::vector<Schedule>& siblings = {});
  /// Pipelined over a whole plan; `done` in plan order is not guaranteed; stops when it returns
  /// false. A kernel that was not built yields one entry, number 0.
  void execute_plan(const std::vector<Entry>& plan, const std::function<bool(Judged)>& done);
  Outcome outcome_of(const Case& value);  // outputs, for error maps
  /// As the fixed-shape oracles run it: outputs and workspace zeroed.
  Outcome zeroed_outcome_of(const Case& value);
  Expected expected_of(const Case& value);  // empty where there is no reference
  Inputs inputs_of(const Case& value);
  /// The op's reference on any inputs of its column.
  Result<Expected> reference(const Inputs& inputs);
  /// Cases judged and not found in the cache.
  std::size_t executions() const;
  void restart();
  /// Starts the workers that the next `count` restarts will meet, where starting one is slow.
  void prepare_restarts(int count);
  const Target& target() const;
  const BuildOutcome& build() const;
  /// Why no case can be judged: the op's reference does not compile (user) or cannot run (machine).
  std::optional<Failure> reference_problem();
  const std::string& device_facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The case that shows this verdict when executed alone: see Judged.
Case case_showing(const Case& value, const Verdict& verdict);

/// A reproduced failure.
struct RawFailure {
  Judged first;   // as found
  Judged shrunk;  // as shrunk (same kind, same pattern)
  std::size_t shrink_executions = 0;
  int confirmed = 0, attempts = 0;  // k of N in fresh workers
  std::vector<Judged> others;       // other failures met on the way, one of each (kind, property)
  std::vector<Judged> tried = {};   // every case that shrinking ran, without its comparisons
};

struct ShrinkOptions {
  std::size_t executions_max = 400;
  /// Whether a candidate's verdict counts as the same failure; unset: same kind and property.
  std::function<bool(const Judged& candidate, const Judged& original)> same;
};
RawFailure shrink(Executor& executor, const Judged& failing, const ShrinkOptions& options);
/// k of N in fresh workers.
void confirm(Executor& executor, RawFailure& failure, int attempts);
/// The same for several failures of one target; those of one attempt share its fresh worker, as
/// long as none of them may have harmed it.
void confirm_all(Executor& executor, const std::vector<RawFailure*>& failures, int attempts);

struct FixedShapeResult {
  std::string rule, values;
  bool passed = false;
  std::string text;  // why it could not run or what failed
  int draws = 0;     // that it looked at
};
std::vector<FixedShapeResult> measure_fixed_shape(Executor& executor);

}  // namespace gate
