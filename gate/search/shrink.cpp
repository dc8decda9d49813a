// Shrinking a failure of a real target.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gate/search/shrink_core.h"

namespace gate {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Times its limit: an error of this size is nobody's rounding.
constexpr double loud = 16;

/// How far beyond its limit the worst element is; infinite where the limit is 0 or nothing
/// compares.
double loudness(const Verdict& verdict) {
  double loudest = 0;
  for (const Comparison& comparison : verdict.comparisons) {
    if (comparison.worst < 0) continue;
    const double off = std::abs(comparison.got - comparison.want);
    loudest = std::fmax(loudest, off / comparison.limit);
    if (!std::isfinite(off) || comparison.limit == 0) return infinite;
  }
  return verdict.comparisons.empty() ? infinite : loudest;
}

/// A failure that is barely one explains less than the one in hand.
bool is_fainter(const Verdict& candidate, const Verdict& original) {
  if (candidate.kind != Kind::wrong) return false;
  return loudness(candidate) < std::min(loudness(original), loud);
}

/// The steps of a walk are judged briefly; where the full judgement of its result is another, the
/// walk is taken again with that.
ShrinkResult walk(Executor& executor, const Judged& failing, ShrinkProblem problem) {
  const auto fully = [&](const Case& value) { return executor.execute(value); };
  problem.run = fully;
  if (failing.verdict.kind == Kind::nondeterministic) return shrink_case(failing, problem);
  problem.run = [&](const Case& value) { return executor.execute_briefly(value); };
  ShrinkResult result = shrink_case(failing, problem);
  Judged best = result.best;
  best.verdict = executor.execute(best.test_case);
  if (!problem.same(best, failing)) {
    problem.run = fully;
    problem.executions_max -= std::min(problem.executions_max, result.executions);
    ShrinkResult again = shrink_case(failing, problem);
    again.executions += result.executions;
    return again;
  }
  result.best.verdict = std::move(best.verdict);
  for (Judged& other : result.others) {
    other.verdict = executor.execute(other.test_case);
    other.test_case = case_showing(other.test_case, other.verdict);
  }
  std::erase_if(result.others,
                [](const Judged& other) { return colour(other.verdict.kind) != Colour::red; });
  return result;
}

}  // namespace

bool same_kind(const Judged& candidate, const Judged& original) {
  return candidate.verdict.kind == original.verdict.kind &&
         candidate.verdict.property == original.verdict.property;
}

RawFailure shrink(Executor& executor, const Judged& failing, const ShrinkOptions& options) {
  const Target target = executor.target();
  ShrinkProblem problem;
  problem.simpler = [&](const Case& value, ShrinkStage stage) {
    return candidates(value, *target.op, target.kernel, stage);
  };
  problem.same = [&](const Judged& candidate, const Judged& original) {
    return same_kind(candidate, original) && !is_fainter(candidate.verdict, original.verdict) &&
           (!options.same || options.same(candidate, original));
  };
  problem.executions_max = options.executions_max;
  ShrinkResult result = walk(executor, failing, std::move(problem));
  RawFailure failure;
  failure.first = failing;
  failure.shrunk = std::move(result.best);
  failure.shrink_executions = result.executions;
  failure.others = std::move(result.others);
  failure.tried = std::move(result.tried);
  return failure;
}

}  // namespace gate
