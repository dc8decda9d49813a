// Integer expressions: grammar, values, problems.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/expression.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

std::optional<std::int64_t> value(const std::string& text, const IntegerValues& values = {}) {
  const auto expression = Expression::parse(text);
  EXPECT_TRUE(expression) << to_text(expression.failure());
  return expression ? expression->value(values) : std::nullopt;
}

std::string problem(const std::string& text, const IntegerValues& values = {}) {
  const auto expression = Expression::parse(text);
  if (!expression) return to_text(expression.failure());
  const auto result = expression->evaluate(values);
  EXPECT_FALSE(expression->value(values));
  return result ? "value " + std::to_string(*result) : to_text(result.failure());
}

TEST(Expression, IsZeroByDefault) {
  EXPECT_EQ(Expression().value({}), 0);
  EXPECT_EQ(*Expression().evaluate({}), 0);
  EXPECT_EQ(Expression().text(), "0");
}

TEST(Expression, BindsAsInC) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("100 / 10 / 5"), 2);
  EXPECT_EQ(value("2 * 7 % 4"), 2);
  EXPECT_EQ(value("- 2 * -3"), 6);
  EXPECT_EQ(value("--2 - -2"), 4);
  EXPECT_EQ(value("1 + 1 == 2"), 1);
  EXPECT_EQ(value("not 1 == 2"), 1);
  EXPECT_EQ(value("not not 5"), 1);
  EXPECT_EQ(value("1 or 0 and 0"), 1);
  EXPECT_EQ(value("(1 or 0) and 0"), 0);
  EXPECT_EQ(value("not 0 and 0"), 0);
}

TEST(Expression, ComparesToOneOrZero) {
  const IntegerValues values = {{"a", 3}, {"b", 5}};
  for (const char* text : {"a < b", "a <= b", "a <= 3", "b > a", "b >= 5", "a != b", "a == 3"}) {
    EXPECT_EQ(value(text, values), 1) << text;
  }
  for (const char* text : {"b < a", "a < 3", "b <= a", "a > 3", "a >= b", "a != 3", "a == b"}) {
    EXPECT_EQ(value(text, values), 0) << text;
  }
  EXPECT_EQ(value("2 and 3"), 1);
  EXPECT_EQ(value("0 or 7"), 1);
}

TEST(Expression, DividesTowardsZeroAndUpwards) {
  EXPECT_EQ(value("7 / 2"), 3);
  EXPECT_EQ(value("-7 / 2"), -3);
  EXPECT_EQ(value("-7 % 2"), -1);
  EXPECT_EQ(value("ceil_div(7, 2)"), 4);
  EXPECT_EQ(value("ceil_div(8, 2)"), 4);
  EXPECT_EQ(value("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(value("ceil_div(-7, -2)"), 4);
  EXPECT_EQ(value("ceil_div(0, 5)"), 0);
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_EQ(value("min(3, 2)"), 2);
  EXPECT_EQ(value("max(1, 5, 3)"), 5);
  EXPECT_EQ(value("next_pow2(0)"), 1);
  EXPECT_EQ(value("next_pow2(1)"), 1);
  EXPECT_EQ(value("next_pow2(64)"), 64);
  EXPECT_EQ(value("next_pow2(65)"), 128);
  EXPECT_EQ(value("min(max(4, ceil_div(n, 3)), 1024)", {{"n", 100}}), 34);
}

TEST(Expression, ReadsNames) {
  const IntegerValues values = {{"rows", 4}, {"x.stride(0)", 7}, {"x.rank", 2}, {"orange", 9}};
  EXPECT_EQ(value("rows * x.stride( 0 ) + x.rank", values), 30);
  EXPECT_EQ(value("orange", values), 9) << "begins like 'or'";
  const auto expression = Expression::parse("b * x.stride(1) + a - b");
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"a", "b", "x.stride(1)"}));
  EXPECT_EQ(expression->text(), "b * x.stride(1) + a - b");
}

TEST(Expression, ListsLiterals) {
  const auto expression = Expression::parse("ceil_div(n, 256) * 32 + 256");
  EXPECT_EQ(expression->literals(), (std::vector<std::int64_t>{256, 32, 256}));
}

TEST(Expression, StopsAtTheSideThatDecides) {
  EXPECT_EQ(value("n == 0 or 10 / n == 5", {{"n", 0}}), 1);
  EXPECT_EQ(value("n != 0 and 10 / n == 5", {{"n", 0}}), 0);
  EXPECT_EQ(problem("10 / n == 5 or n == 0", {{"n", 0}}),
            "error: cannot evaluate '10 / n == 5 or n == 0': division by zero");
}

TEST(Expression, SaysWhatCannotBeComputed) {
  EXPECT_EQ(problem("rows + 1"), "error: cannot evaluate 'rows + 1': unknown name: rows");
  for (const char* text : {"1 / 0", "1 % 0", "ceil_div(1, 0)"}) {
    EXPECT_NE(problem(text).find("division by zero"), std::string::npos) << text;
  }
  const IntegerValues values = {{"top", INT64_MAX}, {"low", INT64_MIN}};
  for (const char* text : {"top + 1", "low - 1", "top * 2", "-low", "low / -1", "low % -1",
                           "ceil_div(low, -1)", "next_pow2(top)"}) {
    EXPECT_NE(problem(text, values).find("integer overflow"), std::string::npos) << text;
  }
  EXPECT_EQ(value("next_pow2(4611686018427387904)"), 1ll << 62);
}

TEST(Expression, SaysWhereItCannotBeRead) {
  EXPECT_EQ(problem(""), "1:1: error: expression ends where a value is expected");
  EXPECT_EQ(problem("1 +"), "1:4: error: expression ends where a value is expected");
  EXPECT_EQ(problem("1 2"), "1:3: error: unexpected '2'");
  EXPECT_EQ(problem("(1"), "1:3: error: expected ')'");
  EXPECT_EQ(problem("a $ b"), "1:3: error: unexpected '$'");
  EXPECT_EQ(problem("a = b"), "1:3: error: unexpected '='");
  EXPECT_EQ(problem("a and or b"), "1:7: error: unexpected 'or'");
  EXPECT_EQ(problem("99999999999999999999"),
            "1:1: error: not a 64-bit decimal integer: 99999999999999999999");
  EXPECT_EQ(problem("0x10"), "1:1: error: not a 64-bit decimal integer: 0x10");
  EXPECT_EQ(problem("x.stride(n)"), "1:10: error: not a 64-bit decimal integer: n");
  EXPECT_EQ(problem("a < b < c"),
            "1:7: error: comparisons cannot be chained\n  hint: write a < b and b < c");
}

TEST(Expression, HelpsWithFunctions) {
  EXPECT_EQ(problem("1 + cel_div(1, 2)"),
            "1:5: error: unknown function: cel_div\n  hint: did you mean ceil_div?");
  EXPECT_EQ(problem("gcd(1, 2)"),
            "1:1: error: unknown function: gcd\n  hint: known: ceil_div, min, max, next_pow2");
  EXPECT_EQ(problem("min(1)"), "1:1: error: wrong number of arguments: min");
  EXPECT_EQ(problem("next_pow2(1, 2)"), "1:1: error: wrong number of arguments: next_pow2");
  EXPECT_EQ(problem("min(1, 2"), "1:9: error: expected ',' or ')'");
  EXPECT_EQ(problem("min()"), "1:5: error: unexpected ')'");
}

TEST(Expression, BoundsSizeAndDepth) {
  const std::string deep = std::string(50'000, '(') + "1" + std::string(50'000, ')');
  EXPECT_NE(problem(deep).find("nested too deeply"), std::string::npos);
  std::string sum = "1";
  for (int term = 0; term < 100'000; ++term) sum += "+1";
  EXPECT_NE(problem(sum).find("too long"), std::string::npos);
  EXPECT_NE(problem(std::string(100'000, '-') + "1").find("too long"), std::string::npos);
  EXPECT_EQ(value(std::string(90, '(') + "1" + std::string(90, ')')), 1);
  EXPECT_EQ(value(sum.substr(0, 801)), 401);
}

}  // namespace
}  // namespace gate
