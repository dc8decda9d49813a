// Candidate conditions on every fact: thresholds where failing and passing cases meet, remainders,
// single values.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gate/explain/rule_search.h"

namespace gate {
namespace {

/// Values of one fact, ascending, with which outcomes were seen there.
struct Seen {
  bool fails = false, passes = false;
};
using Values = std::map<double, Seen>;

Values values_of_fact(const RuleProblem& problem, std::size_t fact) {
  Values values;
  for (const Observation& observation : problem.observations) {
    const double value = observation.values[fact];
    if (std::isnan(value)) continue;
    Seen& seen = values[value];
    (observation.fails ? seen.fails : seen.passes) = true;
  }
  return values;
}

/// The number with the fewest digits strictly between two.
double plain_between(double low, double high) {
  if (low < 0 && high > 0) return 0;
  if (low == 0) return 0;  // "above 0" is as plain as it gets
  const double middle = low > 0 && high / low > 4 ? std::sqrt(low * high) : (low + high) / 2;
  for (int digits = 1; digits <= 6; ++digits) {
    const double plain = std::stod(fmt::format("{:.{}e}", middle, digits - 1));
    if (plain >= low && plain < high) return plain;
  }
  return low;
}

class Collector {
 public:
  explicit Collector(const RuleProblem& problem) : problem_(problem) {}

  std::vector<Condition> collect() {
    for (std::size_t fact = 0; fact < problem_.facts.size(); ++fact) {
      const Values values = values_of_fact(problem_, fact);
      if (values.size() < 2) continue;
      add_fact(fact, values);
    }
    return std::move(conditions_);
  }

 private:
  void add_fact(std::size_t fact, const Values& values) {
    switch (problem_.facts[fact].kind) {
      case FactKind::flag:
        add(fact, Test::equal, 1);
        add(fact, Test::not_equal, 1);
        break;
      case FactKind::choice:
        for (const auto& [value, seen] : values) {
          add(fact, Test::equal, value);
          add(fact, Test::not_equal, value);
        }
        add_thresholds(fact, values);
        break;
      case FactKind::relation:
        for (const double off : {0.0, -1.0}) {
          add(fact, Test::above, off);
          add(fact, Test::at_most, off);
        }
        add(fact, Test::equal, 0);
        add(fact, Test::not_equal, 0);
        break;
      case FactKind::size:
        add_remainders(fact);
        add_thresholds(fact, values);
        break;
      case FactKind::position:
      case FactKind::number:
        add_thresholds(fact, values);
        break;
    }
  }

  void add_remainders(std::size_t fact) {
    add(fact, Test::power_of_two, 0);
    add(fact, Test::not_power_of_two, 0);
    for (const std::int64_t granularity : problem_.granularities) {
      if (granularity < 2) continue;
      add(fact, Test::multiple, static_cast<double>(granularity));
      add(fact, Test::not_multiple, static_cast<double>(granularity));
    }
  }

  void add_thresholds(std::size_t fact, const Values& values) {
    for (auto low = values.begin(), high = std::next(low); high != values.end(); ++low, ++high) {
      const bool alike = low->second.fails == high->second.fails &&
                         low->second.passes == high->second.passes &&
                         low->second.fails != low->second.passes;
      if (alike) continue;
      for (const double threshold : thresholds(fact, low->first, high->first)) {
        add(fact, Test::above, threshold);
        add(fact, Test::at_most, threshold);
      }
    }
  }

  /// Whole numbers: both ends of the gap and what is special between them.
  std::vector<double> thresholds(std::size_t fact, double low, double high) const {
    const FactKind kind = problem_.facts[fact].kind;
    if (kind == FactKind::number || kind == FactKind::choice) return {plain_between(low, high)};
    std::vector<double> list;
    for (const std::int64_t granularity : problem_.granularities) {
      // Positions count from 0: the last of a tile is one less.
      const auto special = static_cast<double>(granularity) - (kind == FactKind::position ? 1 : 0);
      if (special > low && special < high - 1) list.push_back(special);
    }
    list.push_back(low);
    if (high - 1 > low) list.push_back(high - 1);
    return list;
  }

  void add(std::size_t fact, Test test, double parameter) {
    Condition condition = make_condition(problem_.facts, fact, test, parameter);
    if (condition.holds(problem_.observations[problem_.witness].values)) {
      conditions_.push_back(std::move(condition));
    }
  }

  const RuleProblem& problem_;
  std::vector<Condition> conditions_;
};

}  // namespace

std::vector<Condition> candidate_conditions(const RuleProblem& problem) {
  return Collector(problem).collect();
}

}  // namespace gate
