// Tracked against the rules of running-error analysis, one by one, and against f32 arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/tracked.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gate/base/random.h"
#include "gate/reference/functions.h"

namespace gate {
namespace {

const Arithmetic f32_arithmetic;
constexpr double u = 0x1p-24;
constexpr double eta = 0x1p-150;

Tracked exact(double value) { return {value, 0, &f32_arithmetic}; }
Tracked inexact(double value, double error) { return {value, error, &f32_arithmetic}; }

TEST(Tracked, SumAddsErrorsAndOneRounding) {
  const Tracked z = inexact(3, 1e-3) + inexact(-1, 2e-3);
  EXPECT_EQ(z.value, 2);
  EXPECT_DOUBLE_EQ(z.error, 3e-3 + u * (2 + 3e-3));
  const Tracked d = inexact(3, 1e-3) - inexact(1, 2e-3);
  EXPECT_EQ(d.value, 2);
  EXPECT_DOUBLE_EQ(d.error, z.error);
}

TEST(Tracked, AddingZeroAndMultiplyingByOneRoundNothing) {
  EXPECT_EQ((exact(0.1f) + exact(0)).error, 0);
  EXPECT_EQ((exact(0.1f) * exact(-1)).error, 0);
  EXPECT_EQ((exact(0.1f) * exact(0)).error, 0);
  EXPECT_EQ((exact(0) / exact(3)).error, 0);
}

TEST(Tracked, ProductWeighsErrorsByTheOtherFactor) {
  const Tracked z = inexact(3, 1e-3) * inexact(-2, 1e-2);
  EXPECT_EQ(z.value, -6);
  EXPECT_DOUBLE_EQ(z.error, 3 * 1e-2 + 2 * 1e-3 + 1e-5 + u * 6 + eta);
}

TEST(Tracked, QuotientIsUnknownWhereTheDivisorMayBeZero) {
  const Tracked z = inexact(1, 1e-3) / inexact(2, 1e-2);
  EXPECT_DOUBLE_EQ(z.error, (1e-3 + 0.5 * 1e-2) / (2 - 1e-2) + u * 0.5 + eta);
  EXPECT_EQ((exact(1) / inexact(1e-3, 1e-3)).error, infinity);
}

TEST(Tracked, RootsAndLogarithms) {
  const Tracked root = sqrt(inexact(4, 1));
  EXPECT_DOUBLE_EQ(root.error, 1 / (2 + std::sqrt(3.0)) + u * 2 + eta);
  EXPECT_EQ(sqrt(exact(0)).error, 0);
  EXPECT_NEAR(sqrt(inexact(0, 1e-4)).error, 1e-2, 1e-9);
  const Tracked inverse = rsqrt(inexact(4, 1));
  EXPECT_DOUBLE_EQ(inverse.error, 0.5 * std::pow(3, -1.5) + 2 * u * 0.5 + eta);
  EXPECT_EQ(rsqrt(inexact(1, 1)).error, infinity);
  const Tracked logarithm = log(inexact(2, 1));
  EXPECT_DOUBLE_EQ(logarithm.error, -std::log(0.5) + 2 * u * std::log(2.0) + eta);
  EXPECT_EQ(log(inexact(1, 1)).error, infinity);
}

TEST(Tracked, ExponentialAdmitsScalingByLog2) {
  const Tracked z = exp(inexact(10, 1e-3));
  const double value = std::exp(10.0);
  EXPECT_DOUBLE_EQ(z.error, value * std::expm1(1e-3 + 1.5 * u * 10) + 2 * u * value + eta);
  for (const double x : {1e-12, 1e-7, 0.99e-4, 1.01e-4, 2.0}) {
    EXPECT_GE(grown(x), std::expm1(x) * (1 - 1e-15));
    EXPECT_NEAR(grown(x), std::expm1(x), 1e-8 * x);
  }
}

TEST(Tracked, SaturatingFunctionsEndExactly) {
  EXPECT_LE(tanh(exact(30)).error, 1e-20);
  EXPECT_GT(tanh(exact(1)).error, u * std::tanh(1.0));
  EXPECT_LE(erf(exact(9)).error, 1e-20);
}

TEST(Tracked, OpenDecisionCoversBothBranches) {
  const Decision decided = less(inexact(1, 0.1), inexact(2, 0.1));
  EXPECT_TRUE(decided.holds);
  EXPECT_FALSE(decided.open);
  const Decision open = less(inexact(1, 0.6), inexact(2, 0.6));
  EXPECT_TRUE(open.open);
  const Tracked z = select(open, inexact(5, 0.25), inexact(7, 0.5));
  EXPECT_EQ(z.value, 5);
  EXPECT_DOUBLE_EQ(z.error, 2.5);
  EXPECT_DOUBLE_EQ(select(decided, inexact(5, 0.25), inexact(7, 0.5)).error, 0.25);
  // Equal exact operands are decided: a comparison of exact inputs has one answer.
  EXPECT_FALSE(less(exact(1), exact(1)).open);
}

TEST(Tracked, ExtremaKeepTheWiderErrorAndNaN) {
  EXPECT_DOUBLE_EQ(max(inexact(1, 0.5), inexact(2, 0.25)).error, 0.5);
  EXPECT_EQ(max(inexact(1, 0.5), inexact(2, 0.25)).value, 2);
  EXPECT_EQ(min(inexact(1, 0.5), inexact(2, 0.25)).value, 1);
  EXPECT_TRUE(std::isnan(max(exact(NAN), exact(2)).value));
  EXPECT_TRUE(std::isnan(max(exact(2), exact(NAN)).value));
  EXPECT_TRUE(std::isnan(max(std::nan(""), 2.0)));
}

TEST(Tracked, StoringLowAddsThatTypesRounding) {
  const Tracked z = stored(inexact(2, 1e-3), 0x1p-11, 0x1p-25);
  EXPECT_DOUBLE_EQ(z.error, 1e-3 + 0x1p-11 * (2 + 1e-3) + 0x1p-25);
}

TEST(Tracked, ConstantsAreRoundedUnlessTheyFit) {
  EXPECT_EQ((exact(1) * 0.5).error, 0);
  const Tracked z = exact(1) * 0.1;
  EXPECT_DOUBLE_EQ(z.error, u * 0.1);
  EXPECT_DOUBLE_EQ((exact(3) * 0.1).error, 3 * u * 0.1 + u * z.value * 3 + eta);
}

TEST(Tracked, NonFiniteResultsAreFactsNotErrors) {
  EXPECT_EQ((exact(infinity) + exact(1)).error, 0);
  EXPECT_EQ((exact(infinity) - exact(infinity)).error, 0);
  EXPECT_TRUE(std::isnan((exact(infinity) - exact(infinity)).value));
  EXPECT_EQ((exact(infinity) * exact(0)).error, 0);
  EXPECT_EQ(exp(exact(-infinity)).value, 0);
  EXPECT_LE(exp(exact(-infinity)).error, eta);
}

TEST(Tracked, OverflowReachesOutwardOnly) {
  const Tracked huge = exact(1e30f) * exact(1e30f);
  EXPECT_TRUE(huge.overflow);
  // A sigmoid of a large negative argument is 0 in f32, 1e-40 in fp64.
  const Tracked sigmoid = Tracked(1) / (Tracked(1) + exp(exact(92)));
  EXPECT_FALSE(sigmoid.overflow);
  EXPECT_GE(sigmoid.error, sigmoid.value);
  EXPECT_LE(sigmoid.error, 2 * sigmoid.value);
  // Infinity minus infinity, infinity times zero: nothing is known.
  EXPECT_EQ((huge - huge).error, infinity);
  EXPECT_EQ((huge * exact(0)).error, infinity);
  EXPECT_EQ((huge / huge).error, infinity);
  EXPECT_LE(tanh(huge).error, 1e-20);
  EXPECT_TRUE((huge + exact(1)).overflow);
}

/// The same formula in f32 and tracked: the f32 result stays within the tracked error.
template <class S>
S formula(S x, S y, int which) {
  switch (which) {
    case 0:
      return x * y + x / (y * y + S(1));
    case 1:
      return (x - y) * (x + y) - x * x;
    case 2:
      return x / (S(1) + x * x) + y * S(0.1);
    default:
      return (x + y) / (x * x + y * y + S(0.01));
  }
}
// Intermediates of the f32 form must be rounded to f32 and constants to float.
struct Single {
  float value;
  Single(double x) : value(static_cast<float>(x)) {}  // NOLINT: as Tracked
  Single(float x, int) : value(x) {}
};
Single operator+(Single a, Single b) { return {a.value + b.value, 0}; }
Single operator-(Single a, Single b) { return {a.value - b.value, 0}; }
Single operator*(Single a, Single b) { return {a.value * b.value, 0}; }
Single operator/(Single a, Single b) { return {a.value / b.value, 0}; }

TEST(Tracked, BoundsSinglePrecisionArithmetic) {
  RandomStream random(0x7261636b, 1);
  double worst = 0;
  for (int i = 0; i < 40'000; ++i) {
    const auto draw = [&] {
      return std::ldexp(static_cast<float>(2 * random.unit() - 1),
                        static_cast<int>(random.between(-12, 12)));
    };
    const float x = draw(), y = draw();
    const int which = i % 4;
    const double got = formula(Single(x, 0), Single(y, 0), which).value;
    const Tracked want = formula(exact(x), exact(y), which);
    ASSERT_EQ(want.value, formula<double>(x, y, which));
    ASSERT_LE(std::abs(got - want.value), want.error * (1 + 1e-6)) << x << ' ' << y << ' ' << which;
    if (want.error > 0) worst = std::max(worst, std::abs(got - want.value) / want.error);
  }
  EXPECT_GT(worst, 0.3);  // and the bound is not idle
}

}  // namespace
}  // namespace gate
