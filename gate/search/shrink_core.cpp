// The greedy walk over rc::Shrinkable: RapidCheck has the tree, the loop and its budget are ours,
// because RapidCheck's own has none and takes any failure for the same one.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/shrink_core.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace gate {
namespace {

constexpr std::array stages = {ShrinkStage::attributes, ShrinkStage::axes,   ShrinkStage::layouts,
                               ShrinkStage::profiles,   ShrinkStage::values, ShrinkStage::schedule};

class Walk {
 public:
  Walk(const Judged& failing, const ShrinkProblem& problem)
      : problem_(problem), original_(failing) {
    result_.best = failing;
    tried_.insert(to_text(failing.test_case));
  }

  ShrinkResult run() {
    bool progress = true;
    while (progress && !spent()) {
      progress = false;
      for (const ShrinkStage stage : stages) progress = descend(stage) || progress;
    }
    return std::move(result_);
  }

 private:
  bool spent() const { return result_.executions >= problem_.executions_max; }

  /// Follows one stage as far as it goes; true if the best case changed.
  bool descend(ShrinkStage stage) {
    const auto simpler = [this, stage](const Case& value) {
      return rc::seq::fromContainer(problem_.simpler(value, stage));
    };
    bool progress = false;
    auto children = rc::shrinkable::shrinkRecur(result_.best.test_case, simpler).shrinks();
    while (!spent()) {
      auto child = children.next();
      if (!child) break;
      if (!accept(child->value())) continue;
      progress = true;
      children = child->shrinks();
    }
    return progress;
  }

  bool accept(Case value) {
    if (!tried_.insert(to_text(value)).second) return false;
    Judged candidate = result_.best;
    ++result_.executions;
    candidate.verdict = problem_.run(value);
    candidate.test_case = case_showing(value, candidate.verdict);
    record(candidate);
    if (colour(candidate.verdict.kind) != Colour::red) return false;
    if (!problem_.same(candidate, original_)) {
      remember(candidate);
      return false;
    }
    result_.best = std::move(candidate);
    return true;
  }

  void record(const Judged& candidate) {
    Judged tried{candidate.number, candidate.strategy, candidate.test_case, {}};
    tried.verdict.kind = candidate.verdict.kind;
    tried.verdict.property = candidate.verdict.property;
    result_.tried.push_back(std::move(tried));
  }

  void remember(const Judged& other) {
    const bool known =
        std::any_of(result_.others.begin(), result_.others.end(), [&](const Judged& seen) {
          return seen.verdict.kind == other.verdict.kind &&
                 seen.verdict.property == other.verdict.property;
        });
    if (!known) result_.others.push_back(other);
  }

  const ShrinkProblem& problem_;
  const Judged& original_;
  ShrinkResult result_;
  std::set<std::string> tried_;
};

}  // namespace

ShrinkResult shrink_case(const Judged& failing, const ShrinkProblem& problem) {
  return Walk(failing, problem).run();
}

Case case_showing(const Case& value, const Verdict& verdict) {
  Case result = value;
  result.schedule = verdict.schedule;
  if (verdict.kind == Kind::nondeterministic) result.property = property_repeat;
  return result;
}

}  // namespace gate
