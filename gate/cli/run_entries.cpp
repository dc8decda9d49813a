// Running the entries of a plan: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/run_entries.h"

#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

/// A kernel that hangs costs a case timeout per entry; after this many in plan order (of timeouts,
/// or of cases the environment did not run) the rest of its plan would teach nothing new.
constexpr int costly_max = 3;

/// So does one that crashes where a fresh worker takes long: each crash takes two.
constexpr int crashes_max = 8;

bool is_costly(Kind kind) { return kind == Kind::timeout || kind == Kind::environment; }

class Collector {
 public:
  Collector(const TargetPlan& plan, const CheckOptions& options)
      : plan_(plan), options_(options), results_(plan.entries.size()) {}

  /// False once nothing more should be started.
  bool take(Judged judged) {
    const auto now = std::chrono::steady_clock::now();
    run_.seconds[judged.strategy] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (colour(judged.verdict.kind) != Colour::red) {
      for (Comparison& comparison : judged.verdict.comparisons) comparison.failed = {};
    }
    const std::size_t index = judged.number;
    check(index < results_.size(), "a judged entry belongs to the plan that was given");
    results_[index] = std::move(judged);
    if (options_.entry_done) options_.entry_done();
    advance();
    if (run_.stopped.empty() && options_.limits.over()) run_.stopped = options_.limits.reason();
    return run_.stopped.empty();
  }

  EntriesRun finish() {
    for (std::size_t i = 0; i < results_.size() && i < end_; ++i) {
      if (!results_[i]) continue;
      run_.judged.push_back(std::move(*results_[i]));
      run_.judged.back().number = plan_.numbers[i];
    }
    return std::move(run_);
  }

 private:
  /// Counts costly verdicts over the finished prefix, so that the order of arrival does not matter.
  void advance() {
    while (prefix_ < results_.size() && results_[prefix_] && end_ == results_.size()) {
      const Kind kind = results_[prefix_]->verdict.kind;
      ++prefix_;
      const bool crash = kind == Kind::crash && starts_slowly(plan_.target.device);
      if (!crash && !is_costly(kind)) continue;
      int& seen = crash ? crashes_ : costly_;
      const int most = crash ? crashes_max : costly_max;
      if (++seen < most) continue;
      end_ = prefix_;
      run_.stopped_kind = kind;
      run_.stopped = "not run: stopped after " + std::to_string(most) + " cases of kind " +
                     std::string(name(kind));
    }
  }

  const TargetPlan& plan_;
  const CheckOptions& options_;
  std::vector<std::optional<Judged>> results_;
  std::size_t prefix_ = 0;
  std::size_t end_ = results_.size();
  int costly_ = 0, crashes_ = 0;
  EntriesRun run_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

bool RunLimits::is_interrupted() const { return interrupted != nullptr && interrupted->load(); }

bool RunLimits::over() const {
  return is_interrupted() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

std::string RunLimits::reason() const {
  return is_interrupted() ? "the run was interrupted" : "the time limit ran out";
}

EntriesRun run_entries(Executor& executor, const TargetPlan& plan, const CheckOptions& options) {
  check(plan.entries.size() == plan.numbers.size(), "every entry has its number in the plan");
  Collector collector(plan, options);
  if (options.limits.over()) {
    EntriesRun run = collector.finish();
    run.stopped = options.limits.reason();
    return run;
  }
  executor.execute_plan(plan.entries,
                        [&](Judged judged) { return collector.take(std::move(judged)); });
  return collector.finish();
}

}  // namespace gate
