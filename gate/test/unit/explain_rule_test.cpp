// The search for the smallest rule, on observations without any kernel.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "gate/explain/rule_search.h"

namespace gate {
namespace {

const std::vector<Fact> names = {
    {FactKind::size, "cols", "", 1, 0},
    {FactKind::flag, "x has a negative element", "x has no negative element", 1, 0},
    {FactKind::number, "the largest |x|", "", 1.6, 0},
    {FactKind::position, "the largest a·b of a row is at n", "", 1.5, 0},
};

using Fails = std::function<bool(const std::vector<double>&)>;

/// All combinations of some sizes, flags, magnitudes and positions.
std::vector<Observation> observed(const Fails& fails) {
  std::vector<Observation> list;
  for (const double cols : {1, 5, 32, 33, 48, 64, 96, 127, 128, 129, 256, 300}) {
    for (const double negative : {0, 1}) {
      for (const double magnitude : {0.0, 0.5, 3.0, 80.0}) {
        for (const double place : {0, 7, 31, 32, 90}) {
          const std::vector<double> values = {cols, negative, magnitude, place};
          list.push_back({{}, fails(values), values});
        }
      }
    }
  }
  return list;
}

std::string best_rule(const Fails& fails) {
  const std::vector<Observation> observations = observed(fails);
  std::size_t witness = 0;
  while (!observations[witness].fails) ++witness;
  const auto rules = search_rules({names, observations, witness, {2, 4, 8, 16, 32, 64, 128}});
  EXPECT_EQ(rules.front().admitted, 0u);
  return rules.front().rule.text();
}

TEST(explain_rule, a_remainder_and_a_flag) {
  EXPECT_EQ(best_rule([](const auto& v) { return static_cast<int>(v[0]) % 32 != 0 && v[1] != 0; }),
            "cols % 32 != 0 and x has a negative element");
}

TEST(explain_rule, a_power_of_two_is_said_as_such) {
  EXPECT_EQ(best_rule([](const auto& v) {
              return v[0] == 5 || v[0] == 33 || v[0] == 48 || v[0] == 96 || v[0] == 127 ||
                     v[0] == 129 || v[0] == 300;
            }),
            "cols is not a power of two");
}

TEST(explain_rule, thresholds_of_sizes_and_positions_are_tile_edges) {
  EXPECT_EQ(best_rule([](const auto& v) { return v[0] > 64; }), "cols > 64");
  EXPECT_EQ(best_rule([](const auto& v) { return v[3] > 31; }),
            "the largest a·b of a row is at n >= 32");
}

TEST(explain_rule, magnitudes_get_plain_numbers) {
  EXPECT_EQ(best_rule([](const auto& v) { return v[2] > 1 && v[2] < 10; }),
            "the largest |x| > 1 and the largest |x| <= 20");
}

TEST(explain_rule, without_passing_cases_there_is_no_condition) {
  EXPECT_EQ(best_rule([](const auto&) { return true; }), "");
}

TEST(explain_rule, the_rule_holds_on_the_case_in_hand_though_others_fail_too) {
  // Two causes: the witness has the first (small sizes come first and are odd).
  EXPECT_EQ(best_rule([](const auto& v) { return v[0] < 40 || v[2] > 50; }), "cols <= 33");
}

TEST(explain_rule, a_fact_that_does_not_apply_meets_no_condition) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const gate::Test test : {gate::Test::above, gate::Test::at_most}) {
    EXPECT_FALSE(make_condition(names, 2, test, 1).holds({1, 0, unknown, 0}));
  }
}

}  // namespace
}  // namespace gate
