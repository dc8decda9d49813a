// Conditions: when they hold and how they read.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/condition.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"

namespace gate {
namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return value >= 1 && std::frexp(value, &exponent) == 0.5;
}

std::string short_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e6) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string flag_text(const Fact& fact, Test test) {
  return test == Test::equal ? fact.text : fact.otherwise;
}

std::string relation_text(const Fact& fact, const Condition& condition) {
  const double off = condition.parameter;
  const std::string other =
      off == 0 ? fact.otherwise : fmt::format("{} + {}", fact.otherwise, short_number(off));
  switch (condition.test) {
    case Test::above:
      return off == -1 ? fmt::format("{} >= {}", fact.text, fact.otherwise)
                       : fmt::format("{} > {}", fact.text, other);
    case Test::at_most:
      return off == -1 ? fmt::format("{} < {}", fact.text, fact.otherwise)
                       : fmt::format("{} <= {}", fact.text, other);
    case Test::equal:
      return fmt::format("{} == {}", fact.text, other);
    default:
      return fmt::format("{} != {}", fact.text, other);
  }
}

std::string text_of(const Fact& fact, const Condition& condition) {
  if (fact.kind == FactKind::flag) return flag_text(fact, condition.test);
  if (fact.kind == FactKind::relation) return relation_text(fact, condition);
  if (fact.kind == FactKind::position) {
    return fmt::format("{} {} {}", fact.text, condition.test == Test::above ? ">=" : "<",
                       short_number(condition.parameter + 1));
  }
  const std::string number = short_number(condition.parameter);
  switch (condition.test) {
    case Test::above:
      return fmt::format("{} > {}", fact.text, number);
    case Test::at_most:
      return fmt::format("{} <= {}", fact.text, number);
    case Test::multiple:
      return fmt::format("{} % {} == 0", fact.text, number);
    case Test::not_multiple:
      return fmt::format("{} % {} != 0", fact.text, number);
    case Test::power_of_two:
      return fact.text + " is a power of two";
    case Test::not_power_of_two:
      return fact.text + " is not a power of two";
    case Test::equal:
      return fmt::format("{} == {}", fact.text, number);
    case Test::not_equal:
      return fmt::format("{} != {}", fact.text, number);
  }
  return {};
}

/// Beyond the fact's own: what takes longer to grasp.
double extra_cost(Test test) {
  switch (test) {
    case Test::power_of_two:
    case Test::not_power_of_two:
      return 0.15;
    case Test::multiple:
      return 0.2;
    case Test::equal:
    case Test::not_equal:
      return 0.05;
    default:
      return 0;
  }
}

}  // namespace

bool Condition::holds(const std::vector<double>& values) const {
  const double value = values[fact];
  if (std::isnan(value)) return false;
  switch (test) {
    case Test::above:
      return value > parameter;
    case Test::at_most:
      return value <= parameter;
    case Test::multiple:
      return std::fmod(value, parameter) == 0;
    case Test::not_multiple:
      return std::fmod(value, parameter) != 0;
    case Test::power_of_two:
      return is_power_of_two(value);
    case Test::not_power_of_two:
      return !is_power_of_two(value);
    case Test::equal:
      return value == parameter;
    case Test::not_equal:
      return value != parameter;
  }
  return false;
}

bool Rule::holds(const std::vector<double>& values) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.holds(values); });
}

double Rule::cost() const {
  double sum = 0;
  for (const Condition& condition : conditions) sum += condition.cost;
  return sum;
}

std::string Rule::text() const {
  std::vector<std::string> parts;
  for (const Condition& condition : conditions) parts.push_back(condition.text);
  return join(parts, " and ");
}

Condition make_condition(const std::vector<Fact>& facts, std::size_t fact, Test test,
                         double parameter) {
  Condition condition;
  condition.fact = fact;
  condition.test = test;
  condition.parameter = parameter;
  condition.text = text_of(facts[fact], condition);
  condition.cost = facts[fact].simplicity + extra_cost(test);
  return condition;
}

std::vector<double> values_of(const std::vector<Fact>& facts) {
  std::vector<double> values;
  for (const Fact& fact : facts) values.push_back(fact.value);
  return values;
}

}  // namespace gate
