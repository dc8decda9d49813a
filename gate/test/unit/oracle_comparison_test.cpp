// The per-element rule: every clause, its order, and the mutations that must not survive.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "gate/oracle/comparison.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

const Tolerance one{1, false, "default", 0, 0, {}, {}, "", ""};
const Tolerance exact_row{1, true, "default", 0, 0, {}, {}, "", ""};

struct Judge {
  DType dtype = DType::f32;
  Tolerance tolerance = one;
  Contract contract;
  double envelope = 0;

  Comparison operator()(std::vector<double> got, std::vector<double> want) const {
    const auto count = static_cast<std::int64_t>(got.size());
    return compare(tensor_of("y", Role::output, dtype, {count}, got),
                   expected_floats(std::move(want), envelope), tolerance, contract);
  }
  bool accepts(double got, double want) const {
    const Comparison result = (*this)({got}, {want});
    return result.wrong + result.nonfinite + result.unjudgeable == 0;
  }
};

TEST(oracle_comparison, a_nan_is_expected_exactly_where_the_reference_has_one) {
  Judge judge;
  EXPECT_TRUE(judge.accepts(nan_value, nan_value));
  EXPECT_TRUE(judge.accepts(-nan_value, nan_value));
  EXPECT_FALSE(judge.accepts(1.0, nan_value));
  EXPECT_FALSE(judge.accepts(inf_value, nan_value));
  EXPECT_FALSE(judge.accepts(nan_value, 1.0));
  EXPECT_FALSE(judge.accepts(nan_value, 0.0));
  EXPECT_FALSE(judge.accepts(nan_value, inf_value));
  EXPECT_EQ(judge({nan_value}, {1.0}).nonfinite, 1);
  EXPECT_EQ(judge({1.0}, {nan_value}).wrong, 1);
}

TEST(oracle_comparison, a_nan_never_slips_through_however_wide_the_limit) {
  Judge judge;
  judge.envelope = 1e30;
  EXPECT_FALSE(judge.accepts(nan_value, 1.0));
  EXPECT_FALSE(judge.accepts(inf_value, 1.0));
}

TEST(oracle_comparison, the_contract_may_leave_nan_regions_open) {
  Judge judge;
  judge.contract.nan = "any";
  EXPECT_TRUE(judge.accepts(1.0, nan_value));
  EXPECT_TRUE(judge.accepts(inf_value, nan_value));
  EXPECT_FALSE(judge.accepts(nan_value, 1.0));
  EXPECT_EQ(judge({0.0}, {nan_value}).discriminating, 0);
}

TEST(oracle_comparison, an_infinity_needs_the_same_infinity) {
  Judge judge;
  EXPECT_TRUE(judge.accepts(inf_value, inf_value));
  EXPECT_FALSE(judge.accepts(-inf_value, inf_value));
  EXPECT_FALSE(judge.accepts(3.4e38, inf_value));
  EXPECT_FALSE(judge.accepts(inf_value, 3.0));
  judge.contract.saturate = true;
  EXPECT_TRUE(judge.accepts(facts(DType::f32).largest, inf_value));
  EXPECT_FALSE(judge.accepts(-facts(DType::f32).largest, inf_value));
}

TEST(oracle_comparison, beyond_the_range_only_overflow_is_right) {
  Judge judge;
  judge.dtype = DType::f16;
  EXPECT_TRUE(judge.accepts(inf_value, 7e4));
  EXPECT_FALSE(judge.accepts(65504, 7e4));
  EXPECT_FALSE(judge.accepts(-inf_value, 7e4));
  EXPECT_FALSE(judge.accepts(nan_value, 7e4));
  judge.contract.saturate = true;
  EXPECT_TRUE(judge.accepts(65504, 7e4));
  EXPECT_TRUE(judge.accepts(-65504, -7e4));
}

TEST(oracle_comparison, the_overflow_band_admits_both_sides) {
  Judge judge;
  judge.dtype = DType::f16;
  const double edge = 65520;  // halfway between MAX and what would come next
  EXPECT_TRUE(judge.accepts(65504, edge));
  EXPECT_TRUE(judge.accepts(inf_value, edge));
  EXPECT_FALSE(judge.accepts(-inf_value, edge));
  EXPECT_FALSE(judge.accepts(65024, edge));
  // Well below the band infinity is wrong; an envelope may bring a value into the band.
  EXPECT_FALSE(judge.accepts(inf_value, 65000));
  judge.envelope = 600;
  EXPECT_TRUE(judge.accepts(inf_value, 65000));
}

TEST(oracle_comparison, e4m3_has_no_infinity) {
  Judge judge;
  judge.dtype = DType::f8e4m3;
  EXPECT_TRUE(judge.accepts(nan_value, 1000));
  EXPECT_FALSE(judge.accepts(448, 1000));
  judge.contract.saturate = true;
  EXPECT_TRUE(judge.accepts(448, 1000));
  EXPECT_FALSE(judge.accepts(nan_value, 1000));
}

TEST(oracle_comparison, what_saturates_says_nothing_of_the_envelope) {
  Contract contract;
  contract.saturate = true;
  const Tensor y = tensor_of("y", Role::output, DType::f8e4m3, {2}, {448, 1});
  const Comparison got = compare(y, expected_floats({1e6, 1.25}, 0.5), Tolerance(), contract);
  EXPECT_EQ(got.wrong + got.nonfinite, 0);
  EXPECT_LT(got.largest_ratio, 1);
  EXPECT_GT(got.largest_ratio, 0);
}

TEST(oracle_comparison, the_limit_is_half_an_ulp_plus_the_envelope_and_inclusive) {
  Judge judge;
  judge.dtype = DType::f16;
  const double limit = limit_of(1.0, 0, DType::f16, one, {});
  EXPECT_DOUBLE_EQ(limit, 0x1p-11 + 2 * 0x1p-24);
  EXPECT_TRUE(judge.accepts(1.0, 1.0 + limit));
  EXPECT_FALSE(judge.accepts(1.0, 1.0 + limit * 1.01));
  EXPECT_FALSE(judge.accepts(1.0 + 0x1p-10, 1.0));  // a tolerance ten times as wide would pass
}

TEST(oracle_comparison, the_limit_itself_passes_and_the_next_number_does_not) {
  Judge judge;
  judge.dtype = DType::f64;
  judge.envelope = 1;
  const double limit = limit_of(0, 1, DType::f64, one, {});
  EXPECT_TRUE(judge.accepts(limit, 0));
  EXPECT_TRUE(judge.accepts(-limit, 0));
  EXPECT_FALSE(judge.accepts(std::nextafter(limit, 2), 0));
}

TEST(oracle_comparison, the_envelope_widens_by_c_and_its_own_rounding) {
  const Tolerance two{2, false, "default", 0, 0, {}, {}, "", ""};
  const double u = 0x1p-8;
  EXPECT_DOUBLE_EQ(limit_of(-3.0, 0.25, DType::bf16, two, {}),
                   u * (3.0 + 0.5) + 2 * 0x1p-133 + 0.5);
  Contract truncates;
  truncates.truncating_store = true;
  EXPECT_DOUBLE_EQ(limit_of(1.0, 0, DType::bf16, one, truncates), 2 * u + 2 * 0x1p-133);
  Contract flushes;
  flushes.flush_to_zero = true;
  EXPECT_DOUBLE_EQ(limit_of(0.0, 0, DType::f32, one, flushes), 0x1p-126);
}

TEST(oracle_comparison, an_element_without_a_finite_envelope_is_unjudgeable) {
  Judge judge;
  for (const double envelope : {inf_value, nan_value, -1.0}) {
    judge.envelope = envelope;
    const Comparison result = judge({1.0, nan_value, 5.0}, {1.0, 2.0, nan_value});
    EXPECT_EQ(result.unjudgeable, 2);
    EXPECT_EQ(result.wrong, 1);  // a NaN reference judges without an envelope
    EXPECT_EQ(result.largest_ratio, 0);
  }
}

TEST(oracle_comparison, exact_columns_admit_one_value) {
  Judge judge;
  judge.tolerance = exact_row;
  judge.envelope = 0.5;
  EXPECT_TRUE(judge.accepts(1.0, 1.0));
  EXPECT_FALSE(judge.accepts(std::nextafter(1.0f, 2.0f), 1.0));
  EXPECT_TRUE(judge.accepts(0.1f, 0.1));  // a cast rounds once
  EXPECT_TRUE(judge.accepts(inf_value, 1e300));
  EXPECT_TRUE(judge.accepts(nan_value, nan_value));
  EXPECT_FALSE(judge.accepts(nan_value, 1.0));
  EXPECT_TRUE(judge.accepts(-0.0, 0.0));
  judge.contract.signed_zero = true;
  EXPECT_FALSE(judge.accepts(-0.0, 0.0));
  EXPECT_TRUE(judge.accepts(-0.0, -0.0));
  EXPECT_FALSE(judge.accepts(0.0, 1e-40));
  judge.contract.flush_to_zero = true;
  EXPECT_TRUE(judge.accepts(0.0, 1e-40));
}

TEST(oracle_comparison, integers_are_exact_up_to_the_declared_alternatives) {
  const Tensor got = tensor_of("y", Role::output, DType::i32, {4}, {5, 6, 7, 8});
  ExpectedTensor want = expected_integers({5, 6, 9, 9});
  EXPECT_EQ(compare(got, want, one, {}).wrong, 2);
  want.also[2] = {1, 7};
  EXPECT_EQ(compare(got, want, one, {}).wrong, 1);
  want.free = {0, 0, 0, 1};
  const Comparison result = compare(got, want, one, {});
  EXPECT_EQ(result.wrong, 0);
  EXPECT_EQ(result.discriminating, 3);
}

TEST(oracle_comparison, large_integers_keep_their_last_digit) {
  Tensor got = tensor_of("y", Role::output, DType::i64, {1}, {0});
  got.set_integer(0, (std::int64_t{1} << 53) + 1);
  EXPECT_EQ(compare(got, expected_integers({std::int64_t{1} << 53}), one, {}).wrong, 1);
}

TEST(oracle_comparison, free_elements_are_not_judged) {
  Tensor got = tensor_of("y", Role::output, DType::f32, {2}, {nan_value, 1});
  ExpectedTensor want = expected_floats({3, 1}, 0);
  want.free = {1, 0};
  const Comparison result = compare(got, want, one, {});
  EXPECT_EQ(result.nonfinite + result.wrong, 0);
}

TEST(oracle_comparison, the_first_and_the_last_element_are_looked_at) {
  Judge judge;
  EXPECT_EQ(judge({9, 2, 3}, {1, 2, 3}).worst, 0);
  EXPECT_EQ(judge({1, 2, 9}, {1, 2, 3}).worst, 2);
  EXPECT_EQ(judge({1, 2, 9}, {1, 2, 3}).failed, (std::vector<std::uint8_t>{0, 0, 1}));
}

TEST(oracle_comparison, got_and_want_keep_their_places) {
  Judge judge;
  const Comparison result = judge({1.5}, {1.25});
  EXPECT_EQ(result.got, 1.5);
  EXPECT_EQ(result.want, 1.25);
  // Swapped, a finite value in place of a NaN the contract leaves open would be judged.
  judge.contract.nan = "any";
  EXPECT_TRUE(judge.accepts(1.5, nan_value));
  EXPECT_FALSE(judge.accepts(nan_value, 1.5));
}

TEST(oracle_comparison, the_worst_element_is_the_one_furthest_beyond_its_limit) {
  Judge judge;
  const Comparison result = judge({1.1, 1000.1, 3.0}, {1.0, 1000.0, 2.0});
  EXPECT_EQ(result.wrong, 3);
  EXPECT_EQ(result.worst, 2);
  EXPECT_EQ(judge({2.0, nan_value}, {1.0, 1.0}).worst, 1);
}

TEST(oracle_comparison, elements_are_found_through_strides) {
  Tensor got = make_tensor("y", Role::output, DType::f32, {{2, 2}, {5, 2}, 1});
  for (std::int64_t i = 0; i < 4; ++i) got.set(i, static_cast<double>(i));
  EXPECT_EQ(compare(got, expected_floats({0, 1, 2, 3}, 0), one, {}).wrong, 0);
  EXPECT_EQ(compare(got, expected_floats({0, 1, 2, 4}, 0), one, {}).worst, 3);
}

TEST(oracle_comparison, the_ratio_inverts_the_limit) {
  Judge judge;
  judge.envelope = 0.01;
  const double beyond = 0.005;
  const double value = 1.0;
  const float got = static_cast<float>(value + beyond);
  const double u = 0x1p-24, floor = 2 * 0x1p-149;
  EXPECT_DOUBLE_EQ(judge({got}, {value}).largest_ratio,
                   (got - value - u * value - floor) / ((1 + u) * 0.01));
  EXPECT_EQ(judge({1.0}, {1.0}).largest_ratio, 0);
  EXPECT_EQ(judge({9.0}, {1.0}).largest_ratio, 0);  // failing elements say nothing of c
}

TEST(oracle_comparison, zeros_are_rejected_only_where_the_value_exceeds_its_limit) {
  Judge judge;
  EXPECT_EQ(judge({1.0, 0.0}, {1.0, 0.0}).discriminating, 1);
  judge.envelope = 2;
  EXPECT_EQ(judge({1.0, 0.0}, {1.0, 0.0}).discriminating, 0);
}

TEST(oracle_comparison, a_common_factor_is_recognised) {
  Judge judge;
  const auto doubled = judge({2, 4, -6, 0}, {1, 2, -3, 0});
  ASSERT_TRUE(doubled.factor);
  EXPECT_DOUBLE_EQ(*doubled.factor, 2);
  EXPECT_FALSE(judge({2, 4, -7}, {1, 2, -3}).factor);
  EXPECT_FALSE(judge({1, 2}, {1, 2}).factor);
}

TEST(oracle_comparison, a_reference_of_another_size_judges_nothing) {
  Judge judge;
  const Comparison result = judge({1.0, 2.0}, {1.0});
  EXPECT_EQ(result.unjudgeable, 2);
  EXPECT_EQ(result.discriminating, 0);
}

}  // namespace
}  // namespace gate
