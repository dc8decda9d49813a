// Patterns of errors, and which candidates still show the same one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "gate/explain/error_map.h"
#include "gate/explain/pattern.h"

namespace gate {
namespace {

using Mark = std::function<int(std::int64_t row, std::int64_t column)>;

Verdict verdict_of(std::int64_t rows, std::int64_t columns, const Mark& mark,
                   std::optional<double> factor = std::nullopt) {
  Comparison comparison;
  comparison.output = "y";
  comparison.shape = {rows, columns};
  comparison.elements = rows * columns;
  comparison.factor = factor;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      comparison.failed.push_back(static_cast<std::uint8_t>(mark(r, c)));
      comparison.wrong += mark(r, c) == 1;
      comparison.nonfinite += mark(r, c) == 2;
    }
  }
  Verdict verdict;
  verdict.kind = comparison.nonfinite > 0 ? Kind::nonfinite : Kind::wrong;
  verdict.comparisons = {comparison};
  return verdict;
}

std::string named(const Verdict& verdict) {
  const Pattern pattern = find_pattern(verdict);
  return pattern.name + "|" + pattern.detail;
}

int all(std::int64_t, std::int64_t) { return 1; }

TEST(explain_pattern, names_what_the_failing_elements_show) {
  EXPECT_EQ(named(verdict_of(4, 8, all)), "all elements|");
  EXPECT_EQ(named(verdict_of(4, 130, [](auto, auto c) { return c >= 128; })),
            "tail columns|columns 128.. of 130");
  EXPECT_EQ(named(verdict_of(4, 8, [](auto r, auto) { return r == 2; })), "one row|row 2 of 4");
  EXPECT_EQ(named(verdict_of(4, 8, [](auto, auto c) { return c == 3; })),
            "one column|column 3 of 8");
  EXPECT_EQ(named(verdict_of(40, 8, [](auto r, auto) { return r >= 32; })),
            "tail rows|rows 32.. of 40");
  EXPECT_EQ(named(verdict_of(5, 8, [](auto r, auto) { return r == 1 || r == 3; })),
            "whole rows|2 of 5");
  EXPECT_EQ(named(verdict_of(4, 16, [](auto, auto c) { return c % 4 == 1; })),
            "stripes|every 4 columns");
  EXPECT_EQ(named(verdict_of(3, 7, [](auto r, auto c) { return r == c || (r == 0 && c == 4); })),
            "scattered|");
}

TEST(explain_pattern, factors_and_signs_are_named_on_enough_elements) {
  EXPECT_EQ(named(verdict_of(4, 8, all, 2.0001)), "constant factor|2");
  EXPECT_EQ(named(verdict_of(4, 8, all, 0.7071)), "constant factor|0.7071");
  EXPECT_EQ(named(verdict_of(4, 8, all, -1.0)), "sign|");
  EXPECT_EQ(named(verdict_of(4, 8, all, 0.0)), "all zero|");
  EXPECT_EQ(named(verdict_of(1, 2, all, 2.0)), "all elements|");
}

TEST(explain_pattern, nan_spread_tells_its_rows) {
  EXPECT_EQ(named(verdict_of(4, 8, [](auto r, auto) { return r == 2 ? 2 : 0; })),
            "nan spread|1 of 4 rows, whole");
}

TEST(explain_pattern, kinds_without_values_are_their_own_pattern) {
  Verdict verdict;
  verdict.kind = Kind::crash;
  EXPECT_EQ(find_pattern(verdict).name, "crash");
}

TEST(explain_pattern, a_tiny_candidate_may_be_the_same_bug) {
  const Verdict tail = verdict_of(4, 130, [](auto, auto c) { return c >= 128; });
  EXPECT_TRUE(same_pattern(verdict_of(1, 1, all), tail));
  EXPECT_TRUE(same_pattern(verdict_of(1, 5, [](auto, auto c) { return c == 4; }), tail));
  EXPECT_FALSE(same_pattern(verdict_of(1, 5, [](auto, auto c) { return c == 0; }), tail));
  const Verdict doubled = verdict_of(4, 8, all, 2.0);
  EXPECT_TRUE(same_pattern(verdict_of(1, 1, all, 2.0), doubled));
  EXPECT_FALSE(same_pattern(verdict_of(1, 1, all, 3.0), doubled));
  EXPECT_FALSE(same_pattern(verdict_of(1, 4, all), doubled));
  EXPECT_TRUE(same_pattern(verdict_of(1, 1, all, 0.3), verdict_of(1, 8, all, 0.37)));
}

TEST(explain_pattern, another_kind_or_property_is_another_failure) {
  const Verdict wrong = verdict_of(4, 8, all);
  Verdict other = wrong;
  other.property = "special";
  EXPECT_FALSE(same_pattern(other, wrong));
  EXPECT_FALSE(same_pattern(verdict_of(4, 8, [](auto, auto) { return 2; }), wrong));
}

TEST(explain_pattern, the_error_map_shows_where) {
  EXPECT_EQ(error_map(verdict_of(2, 6, [](auto r, auto c) { return r == 1 && c >= 4 ? 1 : 0; })),
            "y: 2 rows x 6 columns, 2 failing; one block = 1 x 1\n......\n....##\n");
  const std::string large =
      error_map(verdict_of(64, 256, [](auto r, auto c) { return r == 0 && c == 255 ? 2 : 0; }));
  EXPECT_EQ(large.substr(0, large.find('\n')),
            "y: 64 rows x 256 columns, 1 failing; one block = 4 x 4");
  EXPECT_EQ(large[large.find('\n') + 64], 'N');
  EXPECT_EQ(error_map(Verdict()), "");
}

}  // namespace
}  // namespace gate
