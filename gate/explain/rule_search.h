// The search for the simplest conjunction of conditions that holds on the failing cases and on no
// passing one: a beam over conditions, each of which holds on the case in hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/explain/condition.h"

namespace gate {

/// What is known of one executed case.
struct Observation {
  Case test_case;
  bool fails = false;
  std::vector<double> values;  // of facts_of
};

struct RuleProblem {
  const std::vector<Fact>& facts;  // names; values unused
  const std::vector<Observation>& observations;
  std::size_t witness = 0;                  // a failing observation that the rule has to hold on
  std::vector<std::int64_t> granularities;  // tiles and powers of two: remainders, thresholds
};

struct RankedRule {
  Rule rule;
  double score = 0;          // smaller is better: errors and length
  std::size_t admitted = 0;  // passing observations it holds on
  std::size_t missed = 0;    // failing ones it does not hold on
};

/// Conditions on single facts that hold on the witness and tell some observations apart.
std::vector<Condition> candidate_conditions(const RuleProblem& problem);
/// Best first, at least one; those that follow are close to it.
std::vector<RankedRule> search_rules(const RuleProblem& problem);
/// Score of a given rule on the same scale.
RankedRule rank(const RuleProblem& problem, Rule rule);

}  // namespace gate
