// Splitting, numbers, typos, globs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gate {
namespace {

using Words = std::vector<std::string>;

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a,b,,c", ','), (Words{"a", "b", "", "c"}));
  EXPECT_EQ(split("", ','), (Words{""}));
  EXPECT_EQ(split(",", ','), (Words{"", ""}));
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Text, TrimsBlanksAtBothEnds) {
  EXPECT_EQ(trim(" \t\r\na b\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Hex, HasSixteenDigits) {
  EXPECT_EQ(hex64(0), "0x0000000000000000");
  EXPECT_EQ(hex64(0x0123456789abcdef), "0x0123456789abcdef");
}

TEST(Hex, ParsesOneToSixteenDigitsAndNothingElse) {
  EXPECT_EQ(parse_hex64("0xff"), 255u);
  EXPECT_EQ(parse_hex64("FF"), 255u);
  EXPECT_EQ(parse_hex64("ffffffffffffffff"), UINT64_MAX);
  for (const char* text : {"", "0x", "g", "0x1 ", " 1", "-1", "+1", "0x0x1", "10000000000000000"}) {
    EXPECT_FALSE(parse_hex64(text)) << text;
  }
}

TEST(Integers, AreDecimalAndWhole) {
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"", "-", "+1", "1 ", " 1", "1.0", "0x1", "9223372036854775808"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(Numbers, AreShortAndReadBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(1e300), "1e+300");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(std::nan("")), "nan");
  for (const double value : {0.1, 5e-324, 1.7976931348623157e308, 1.0 / 3}) {
    EXPECT_EQ(parse_number(number_text(value)), value);
  }
  EXPECT_TRUE(std::isnan(*parse_number("nan")));
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
  EXPECT_EQ(parse_number("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(Numbers, RefuseOtherSpellings) {
  for (const char* text : {"", "1 ", "infinity", "NaN", "nan(1)", "0x1p3", "1e999", "--1", "1,5"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Nearest, FindsTyposOnly) {
  const Words words = {"inputs", "outputs", "axes", "columns"};
  EXPECT_EQ(nearest("input", words), "inputs");
  EXPECT_EQ(nearest("axis", words), "axes");
  EXPECT_EQ(nearest("colmuns", words), "columns");
  EXPECT_EQ(nearest("kernel", words), std::nullopt);
  EXPECT_EQ(nearest("x", {"y"}), std::nullopt) << "nothing in common";
  EXPECT_EQ(nearest("x", {}), std::nullopt);
  EXPECT_EQ(nearest("ab", {"abc", "abd"}), "abc") << "the first of equals";
}

TEST(Glob, MatchesStarsAndQuestionMarks) {
  EXPECT_TRUE(matches_glob("softmax/tiled", "softmax/*"));
  EXPECT_TRUE(matches_glob("softmax", "*"));
  EXPECT_TRUE(matches_glob("", "*"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_TRUE(matches_glob("abcabd", "*ab?"));
  EXPECT_TRUE(matches_glob("aXbXc", "a*b*c"));
  EXPECT_TRUE(matches_glob("!a", "!a"));
  EXPECT_FALSE(matches_glob("softmax", "soft"));
  EXPECT_FALSE(matches_glob("soft", "softmax"));
  EXPECT_FALSE(matches_glob("ab", "?"));
  EXPECT_FALSE(matches_glob("", "?"));
  EXPECT_FALSE(matches_glob("abcabc", "*abd"));
}

TEST(Glob, DoesNotExplode) {
  const std::string text(5'000, 'a');
  std::string pattern;
  for (int star = 0; star < 200; ++star) pattern += "a*";
  EXPECT_FALSE(matches_glob(text, pattern + "b"));
  EXPECT_TRUE(matches_glob(text, pattern));
}

}  // namespace
}  // namespace gate
