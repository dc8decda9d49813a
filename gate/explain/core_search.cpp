// The active loop: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/core_search.h"

#include <algorithm>
#include <bit>

#include "gate/explain/variants.h"

namespace gate {
namespace {

constexpr std::size_t bases_of_each = 3;  // failing and passing cases that are varied
constexpr std::size_t queries_at_once = 4;
constexpr std::size_t rounds_max = 12;
constexpr std::int64_t whole_size = 256;  // a multiple of every power of two that is a usual tile
constexpr std::size_t necessity_tests = 3, sufficiency_tests = 6;

std::size_t size_of(const Case& value) {
  std::size_t product = 1;
  for (const auto& [axis, size] : value.axes) product *= static_cast<std::size_t>(size);
  return product;
}

std::uint64_t as_unsigned(std::int64_t size) { return static_cast<std::uint64_t>(size); }

bool is_granularity(const std::vector<std::int64_t>& granularities, std::int64_t size) {
  return std::binary_search(granularities.begin(), granularities.end(), size);
}

}  // namespace

CoreSearch::CoreSearch(Evidence& evidence, const CoreProblem& problem)
    : evidence_(evidence),
      problem_(problem),
      granularities_(granularities_of(evidence.executor().target())) {}

Core CoreSearch::run(const Observe& observe) {
  observe_ = observe;
  learn();
  if (problem_.executions_max > 0) {
    fill_pool();
    probe_witness();
    learn();
  }
  for (std::size_t round = 0; round < rounds_max && !spent(); ++round) {
    std::size_t executed = settle_disagreements();
    if (executed == 0) executed = test_necessity();
    if (executed == 0) executed = test_sufficiency();
    if (executed == 0) break;
    learn();
  }
  return core();
}

void CoreSearch::learn() {
  observations_ = observe_();
  const std::string wanted = to_text(problem_.witness);
  std::size_t witness = 0;
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    if (to_text(observations_[i].test_case) == wanted) witness = i;
  }
  rules_ = search_rules({problem_.facts, observations_, witness, granularities_});
}

/// The shrunk failure with one axis on a whole tile: what bugs of tails pass on.
void CoreSearch::probe_witness() {
  const Case& witness = problem_.failure.shrunk.test_case;
  for (Variant& variant : pool_) {
    if (spent()) return;
    Case same = variant.test_case;
    for (const auto& [axis, size] : witness.axes) {
      const std::int64_t other = variant.test_case.axes.at(axis);
      if (other == size) continue;
      const bool whole = other == whole_size || (!std::has_single_bit(as_unsigned(other)) &&
                                                 is_granularity(granularities_, other));
      if (whole) same.axes[axis] = size;
    }
    if (same == witness) execute(variant);
  }
}

/// Variants of the failure, shrunk and as found, and of small failing and passing cases.
void CoreSearch::fill_pool() {
  std::vector<Case> bases = {problem_.failure.shrunk.test_case, problem_.failure.first.test_case};
  std::vector<const Observation*> order;
  for (const Observation& observation : observations_) order.push_back(&observation);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return size_of(a->test_case) < size_of(b->test_case);
  });
  for (const bool fails : {true, false}) {
    std::vector<const Observation*> of_kind;
    for (const Observation* observation : order) {
      if (observation->fails == fails) of_kind.push_back(observation);
    }
    // Spread over the sizes: the smallest, and some in between.
    for (std::size_t i = 0; i < bases_of_each && i < of_kind.size(); ++i) {
      bases.push_back(of_kind[i * of_kind.size() / (2 * bases_of_each)]->test_case);
    }
  }
  std::set<std::string> seen;
  for (const Observation& observation : observations_) seen.insert(to_text(observation.test_case));
  for (Case& base : bases) {
    base.schedule = problem_.failure.shrunk.test_case.schedule;
    base.property = problem_.failure.shrunk.test_case.property;
    for (Case& variant : variants_of(base, evidence_.executor().target(), problem_.special, {})) {
      if (!seen.insert(to_text(variant)).second) continue;
      std::vector<double> values = evidence_.values_of_case(variant);
      pool_.push_back({std::move(variant), std::move(values), false});
    }
  }
}

std::size_t CoreSearch::execute(Variant& variant) {
  variant.executed = true;
  ++executions_;
  Judged judged;
  judged.test_case = variant.test_case;
  // One thread order tells whether it fails, unless failing means that orders differ.
  const bool by_order = problem_.failure.shrunk.verdict.kind == Kind::nondeterministic;
  Executor& executor = evidence_.executor();
  judged.verdict =
      by_order ? executor.execute(variant.test_case) : executor.execute_briefly(variant.test_case);
  judged.verdict.comparisons.clear();
  evidence_.add(judged);
  return 1;
}

/// Cases that most of the close rules judge otherwise than the best one, each splitting them in
/// its own way.
std::size_t CoreSearch::settle_disagreements() {
  struct Query {
    Variant* variant;
    std::vector<bool> votes;
    std::size_t against = 0;
  };
  std::vector<Query> queries;
  for (Variant& variant : pool_) {
    if (variant.executed) continue;
    const bool best = rules_.front().rule.holds(variant.values);
    Query query{&variant, {}, 0};
    for (std::size_t i = 1; i < rules_.size(); ++i) {
      query.votes.push_back(rules_[i].rule.holds(variant.values) != best);
      query.against += query.votes.back();
    }
    if (query.against > 0) queries.push_back(std::move(query));
  }
  std::stable_sort(queries.begin(), queries.end(),
                   [](const Query& a, const Query& b) { return a.against > b.against; });
  std::set<std::vector<bool>> asked;
  std::size_t executed = 0;
  for (const Query& query : queries) {
    if (spent() || executed == queries_at_once) break;
    if (asked.insert(query.votes).second) executed += execute(*query.variant);
  }
  return executed;
}

bool CoreSearch::holds_without(std::size_t condition, const std::vector<double>& values) const {
  const std::vector<Condition>& conditions = rules_.front().rule.conditions;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (i != condition && !conditions[i].holds(values)) return false;
  }
  return !conditions[condition].holds(values);
}

bool CoreSearch::shown_necessary(std::size_t condition) const {
  return std::any_of(observations_.begin(), observations_.end(), [&](const Observation& seen) {
    return !seen.fails && holds_without(condition, seen.values);
  });
}

/// Cases that violate one condition and meet all others.
std::size_t CoreSearch::test_necessity() {
  std::size_t executed = 0;
  for (std::size_t c = 0; c < rules_.front().rule.conditions.size(); ++c) {
    if (shown_necessary(c)) continue;
    std::size_t tests = 0;
    for (Variant& variant : pool_) {
      if (spent() || tests == necessity_tests) break;
      if (variant.executed || !holds_without(c, variant.values)) continue;
      tests += execute(variant);
    }
    executed += tests;
  }
  return executed;
}

/// Cases that meet the rule, spread over the pool: they have to fail.
std::size_t CoreSearch::test_sufficiency() {
  std::vector<Variant*> open;
  for (Variant& variant : pool_) {
    if (!variant.executed && rules_.front().rule.holds(variant.values)) open.push_back(&variant);
  }
  std::size_t executed = 0;
  const std::size_t tests = std::min(sufficiency_tests, open.size());
  for (std::size_t i = 0; i < tests && !spent(); ++i) {
    executed += execute(*open[i * open.size() / tests]);
  }
  return executed;
}

Core CoreSearch::core() const {
  Core core;
  core.rule = rules_.front().rule;
  core.executions = executions_;
  core.passing_without.assign(core.rule.conditions.size(), 0);
  for (const Observation& seen : observations_) {
    const bool met = core.rule.holds(seen.values);
    ++(seen.fails ? core.failing : core.passing);
    if (met) ++(seen.fails ? core.failing_met : core.passing_met);
    for (std::size_t c = 0; c < core.rule.conditions.size(); ++c) {
      if (!seen.fails && holds_without(c, seen.values)) ++core.passing_without[c];
    }
  }
  return core;
}

}  // namespace gate
