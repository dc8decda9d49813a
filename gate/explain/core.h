// The core of a failure: the smallest conjunction of conditions under which it fails, learnt from
// the cases already run and tested by further ones that are chosen where explanations disagree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/explain/hypothesis.h"
#include "gate/explain/rule_search.h"
#include "gate/search/search.h"

namespace gate {

struct Core {
  Rule rule;
  std::vector<std::size_t> passing_without;  // per condition: passing cases that meet the others
  std::size_t failing_met = 0, failing = 0;  // cases that meet the rule, of all
  std::size_t passing_met = 0, passing = 0;
  std::size_t executions = 0;
};

/// Everything executed of one column: facts are computed once, whatever is learnt from them.
/// `judged` outlives it.
class Evidence {
 public:
  Evidence(Executor& executor, const std::vector<Judged>& judged);

  void add(const Judged& judged);
  /// Core of a failure; executes at most `executions_max` further cases.
  /// `witness`: the failing case that it has to hold on.
  Core core_of(const RawFailure& failure, const Case& witness, std::size_t executions_max);
  /// Failing cases that these rules hold on teach nothing about further failures.
  void set_aside(std::vector<Rule> rules) { aside_ = std::move(rules); }
  std::vector<double> values_of_case(const Case& value);
  const std::vector<double>& values_of(const Judged& judged);
  /// Failures of the plan, of one kind and of plain values unless `special`, that meet a rule.
  std::vector<const Verdict*> met_by(const Rule& rule, Kind kind, bool special);
  /// What wrong values equal: "2 times the right result"; without text where nothing fits.
  Hypothesis cause_of(const Core& core, const RawFailure& failure);
  /// Whether a cause gives the very output of a failing case (of moderate size).
  bool cause_holds(const Hypothesis& cause, const Case& value);
  Executor& executor() { return executor_; }

 private:
  struct Item {
    Case test_case;
    Kind kind = Kind::pass;
    bool special = false;
    std::vector<double> values;
  };

  HypothesisSpace space();
  std::vector<Observation> observations(Kind kind, bool special) const;

  Executor& executor_;
  const std::vector<Judged>& judged_;
  std::vector<Rule> aside_;
  std::vector<Fact> names_;
  std::vector<Item> items_;
  std::map<std::string, std::size_t> known_;  // case text -> item
};

}  // namespace gate
