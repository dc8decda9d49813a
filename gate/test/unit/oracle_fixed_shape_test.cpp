// The emulated fixed-shape oracles: bounds, NaN, what the relative term hangs on, their cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "gate/oracle/fixed_shape.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

bool accepts(const std::string& rule, DType dtype, double got, double want) {
  return fixed_shape_accepts({rule, "randn", 1, ""},
                             outcome_of({tensor_of("y", Role::output, dtype, {1}, {got})}),
                             Expected{{expected_floats({want}, 0)}});
}

TEST(fixed_shape, kernelbench_takes_1e4_in_f32_and_1e2_in_halves) {
  EXPECT_TRUE(accepts("kernelbench", DType::f32, 1.0 + 1.9e-4, 1.0));
  EXPECT_FALSE(accepts("kernelbench", DType::f32, 1.0 + 2.1e-4, 1.0));
  EXPECT_TRUE(accepts("kernelbench", DType::f64, 1.0 + 1.9e-4, 1.0));
  EXPECT_FALSE(accepts("kernelbench", DType::f64, 1.0 + 2.1e-4, 1.0));
  EXPECT_TRUE(accepts("kernelbench", DType::f16, 1.0 + 1.9e-2, 1.0));
  EXPECT_TRUE(accepts("kernelbench", DType::bf16, 1.0 + 1.5e-2, 1.0));
  EXPECT_FALSE(accepts("kernelbench", DType::bf16, 1.0 + 3.1e-2, 1.0));
  EXPECT_TRUE(accepts("kernelbench_v0", DType::f32, 1.0 + 1.9e-2, 1.0));
}

TEST(fixed_shape, the_relative_term_is_the_candidates_in_kernelbench_and_geak) {
  // |1 - 1.1111| = 0.1111 <= 0.01 + 0.1 * 1.1111, but not <= 0.01 + 0.1 * 1.
  EXPECT_TRUE(accepts("geak", DType::f32, 1.1111, 1.0));
  EXPECT_FALSE(accepts("geak", DType::f32, 1.0, 1.1122));
  // assert_close takes the expected one.
  EXPECT_FALSE(accepts("geak_rocm", DType::f32, 1.0202, 1.0));
  EXPECT_TRUE(accepts("geak_rocm", DType::f32, 1.0, 1.0202));
}

TEST(fixed_shape, dict_fallback_and_assert_close_defaults) {
  EXPECT_TRUE(accepts("geak_dict", DType::f32, 1.0 + 1.9e-3, 1.0));
  EXPECT_FALSE(accepts("geak_dict", DType::f32, 1.0 + 2.1e-3, 1.0));
  EXPECT_TRUE(accepts("assert_close", DType::f32, 1.0 + 1.1e-5, 1.0));
  EXPECT_FALSE(accepts("assert_close", DType::f32, 1.0 + 1.2e-5, 1.0));
  EXPECT_TRUE(accepts("assert_close", DType::bf16, 1.0 + 1.5e-2, 1.0));
  EXPECT_FALSE(accepts("assert_close", DType::f8e4m3, 1.125, 1.0));
  EXPECT_TRUE(accepts("paper", DType::f32, 1.01, 1.0));
  EXPECT_FALSE(accepts("paper", DType::f32, 2e-5, 0.0));
}

TEST(fixed_shape, any_nan_fails_and_infinity_equals_infinity) {
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    if (rule.name == "tritonbench") continue;
    EXPECT_FALSE(accepts(rule.name, DType::f32, nan_value, nan_value)) << rule.name;
    EXPECT_FALSE(accepts(rule.name, DType::f32, nan_value, 1)) << rule.name;
    EXPECT_TRUE(accepts(rule.name, DType::f32, inf_value, inf_value)) << rule.name;
    EXPECT_FALSE(accepts(rule.name, DType::f32, -inf_value, inf_value)) << rule.name;
    EXPECT_FALSE(accepts(rule.name, DType::f32, inf_value, 1)) << rule.name;
  }
}

TEST(fixed_shape, the_reference_is_rounded_to_the_runs_dtype) {
  // 7e4 becomes infinity in f16, and so it must be.
  EXPECT_TRUE(accepts("kernelbench", DType::f16, inf_value, 7e4));
  EXPECT_FALSE(accepts("kernelbench", DType::f16, 65504, 7e4));
}

TEST(fixed_shape, tritonbench_asks_only_whether_it_ran) {
  EXPECT_TRUE(accepts("tritonbench", DType::f32, 9, 1));
  Outcome crashed;
  crashed.end = Kind::crash;
  EXPECT_FALSE(fixed_shape_accepts({"tritonbench", "randn", 1, ""}, crashed, {}));
}

TEST(fixed_shape, integers_are_exact) {
  const Outcome outcome = outcome_of({tensor_of("y", Role::output, DType::i32, {1}, {1000})});
  const FixedShapeRule rule{"kernelbench", "randn", 1, ""};
  EXPECT_TRUE(fixed_shape_accepts(rule, outcome, Expected{{expected_integers({1000})}}));
  EXPECT_FALSE(fixed_shape_accepts(rule, outcome, Expected{{expected_integers({1001})}}));
}

TEST(fixed_shape, a_missing_or_short_output_fails) {
  EXPECT_FALSE(fixed_shape_accepts({"geak", "randn", 1, ""}, outcome_of({}),
                                   Expected{{expected_floats({1}, 0)}}));
  EXPECT_FALSE(fixed_shape_accepts({"geak", "randn", 1, ""},
                                   outcome_of({tensor_of("y", Role::output, DType::f32, {0}, {})}),
                                   Expected{{expected_floats({1}, 0)}}));
}

TEST(fixed_shape, cases_are_contiguous_ascending_and_distinct_draws_at_the_fixed_shape) {
  OpSchema op = map_op();
  Attribute eps;
  eps.name = "eps";
  eps.fallback = 1e-5;
  op.attributes = {eps};
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    const std::vector<Case> cases = fixed_shape_cases(rule, op, "f32");
    ASSERT_EQ(cases.size(), static_cast<std::size_t>(rule.draws));
    std::set<std::uint64_t> keys;
    for (const Case& value : cases) {
      EXPECT_EQ(value.axes, op.fixed_axes);
      EXPECT_EQ(value.schedule, Schedule{});
      EXPECT_EQ(value.tensors.at("x").layout, "contiguous");
      EXPECT_EQ(value.tensors.at("x").profile, rule.values == "randn" ? "normal@1" : "uniform01@1");
      EXPECT_EQ(std::get<double>(value.attributes.at("eps")), 1e-5);
      keys.insert(value.key);
    }
    EXPECT_EQ(keys.size(), cases.size());
  }
  op.fixed_attributes["eps"] = 1e-6;
  const Case first = fixed_shape_cases(all_fixed_shape_rules().front(), op, "f32").front();
  EXPECT_EQ(std::get<double>(first.attributes.at("eps")), 1e-6);
}

TEST(fixed_shape, restricted_inputs_take_a_distribution_of_theirs) {
  OpSchema op = map_op();
  op.inputs.front().profiles = {"uniform01"};
  const Case value = fixed_shape_cases({"kernelbench", "randn", 1, ""}, op, "f32").front();
  EXPECT_EQ(value.tensors.at("x").profile, "uniform01@1");
}

TEST(fixed_shape, only_kernelbench_decides) {
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    EXPECT_EQ(decides_illusion(rule), rule.name == "kernelbench");
    EXPECT_TRUE(!decides_illusion(rule) || rule.draws == 5);
  }
}

}  // namespace
}  // namespace gate
