// A case as one line: the exact form, and what is wrong with lines that are none.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/spec/case.h"

namespace gate {
namespace {

Case sample() {
  Case value;
  value.op = "softmax";
  value.column = "f16";
  value.axes = {{"rows", 1}, {"cols", 129}};
  value.attributes = {{"eps", 0x1.4f8b58p-17}, {"causal", std::int64_t{1}}};
  value.tensors["x"] = TensorChoice{"row_pitch", 3, 1, 0, "normal@1", {}};
  value.tensors["y"] = TensorChoice{};
  value.key = 0xff;
  return value;
}

std::string problem_of(const std::string& text) {
  const auto value = parse_case(text);
  return value ? "none" : to_text(value.failure());
}

TEST(case_text, canonical_form) {
  EXPECT_EQ(to_text(sample()),
            "softmax/f16 value cols=129 rows=1 causal=1i eps=0x1.4f8b58p-17 "
            "x=row_pitch+3,normal@1 y=contiguous key=0x00000000000000ff schedule=ascending");
}

TEST(case_text, every_field_reads_back) {
  Case value = sample();
  value.property = "law:rows_independent";
  value.attributes["bound"] = -std::numeric_limits<double>::infinity();
  value.attributes["groups"] = std::int64_t{-4};
  value.tensors["x"] = TensorChoice{
      "strided", 5, 2, 1, "constant@1(0x3f800000)", {{0, 0x7fc00000}, {7, ~std::uint64_t{0}}}};
  value.tensors["z"].elements = {{3, 0}};
  value.schedule = Schedule{Schedule::Order::shuffled, 0xdeadbeefcafef00d};
  const std::string text = to_text(value);
  EXPECT_NE(text.find("x=strided+5/2:1,constant@1(0x3f800000)[0:0x7fc00000,7:0xffffffffffffffff]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("schedule=shuffled:0xdeadbeefcafef00d"), std::string::npos) << text;
  const auto back = parse_case(text);
  ASSERT_TRUE(back) << to_text(back.failure());
  EXPECT_EQ(*back, value);
}

TEST(case_text, order_and_blanks_do_not_matter) {
  const auto value = parse_case(
      "  softmax/f16   value key=0xff y=contiguous\tx=row_pitch+3,normal@1 rows=1 cols=129 "
      "eps=0x1.4f8b58p-17 causal=1i ");
  ASSERT_TRUE(value) << to_text(value.failure());
  EXPECT_EQ(*value, sample());
}

TEST(case_text, problems_have_columns) {
  EXPECT_EQ(problem_of("softmax").find("case:1:1: error: a case starts with"), 0u);
  EXPECT_EQ(problem_of("softmax value").find("case:1:1: error: the first word must be"), 0u);
  EXPECT_EQ(problem_of("softmax/f16 valu").find("case:1:13: error: \"valu\" is not a property"),
            0u);
  EXPECT_EQ(problem_of("a/b value rows").find("case:1:11: error: \"rows\" is not a setting"), 0u);
  EXPECT_EQ(problem_of("a/b value rows=1 rows=2").find("case:1:18: error: rows is set twice"), 0u);
}

TEST(case_text, malformed_settings_are_refused) {
  for (const char* setting : {"rows=",
                              "rows=1.5",
                              "rows=1x",
                              "eps=1e-5",
                              "eps=nan",
                              "key=255",
                              "key=0x",
                              "key=0x1g",
                              "schedule=random",
                              "schedule=shuffled:7",
                              "x=row_pitch+",
                              "x=row_pitch+3+4",
                              "x=a:1/2",
                              "x=contiguous,",
                              "x=contiguous,no\"rmal",
                              "x=contiguous[1]",
                              "x=contiguous[-1:0x0]",
                              "x=contiguous[1:7]",
                              "x=contiguous[]",
                              "x=",
                              "=3",
                              "a b=3",
                              "9=3"}) {
    EXPECT_NE(problem_of(std::string("a/b value ") + setting), "none") << setting;
  }
}

TEST(case_text, integer_values_are_axes_and_integer_attributes) {
  const IntegerValues values = integer_values(sample());
  EXPECT_EQ(values, (IntegerValues{{"rows", 1}, {"cols", 129}, {"causal", 1}}));
}

}  // namespace
}  // namespace gate
