// One condition on one fact, and conjunctions of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/explain/facts.h"

namespace gate {

enum class Test {
  above,
  at_most,
  multiple,
  not_multiple,
  power_of_two,
  not_power_of_two,
  equal,
  not_equal
};

struct Condition {
  std::size_t fact = 0;  // index into facts_of
  Test test = Test::above;
  double parameter = 0;
  std::string text;  // "cols % 128 != 0"
  double cost = 1;

  bool holds(const std::vector<double>& values) const;
};

/// All of its conditions hold; without any it holds always.
struct Rule {
  std::vector<Condition> conditions;

  bool holds(const std::vector<double>& values) const;
  double cost() const;
  /// "cols % 128 != 0 and x has a negative element"; empty without conditions.
  std::string text() const;
};

Condition make_condition(const std::vector<Fact>& facts, std::size_t fact, Test test,
                         double parameter);
std::vector<double> values_of(const std::vector<Fact>& facts);

}  // namespace gate
