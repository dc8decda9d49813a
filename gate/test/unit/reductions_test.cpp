// Sums, means, moments and norms: accumulation models, exactness, overflow, and the closed forms
// written out once more.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reductions.h"

#include <gtest/gtest.h>

#include "gate/test/unit/reference_fixture.h"

namespace gate {
namespace {

using reference_test::entry;
using reference_test::row_trial;

constexpr double u = 0x1p-24;

struct SumRow {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y")[0] = sum(c, c.input("x").row(0));
  }
};
struct DotRow {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y")[0] = dot(c, c.input("x").row(0), c.input("x").row(0));
  }
};
struct MeanRow {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y")[0] = mean(c, c.input("x").row(0));
  }
};
struct LayerNormRow {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const Moments<S> m = moments(c, row, 1e-5);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = (row[i] - m.mean) * m.scale;
  }
};
struct RmsNormRow {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const S scale = rms_scale(c, row, 1e-5);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = row[i] * scale;
  }
};

TEST(Accumulation, FollowsTheUnit) {
  Arithmetic a;
  EXPECT_EQ(accumulation(a, 0), 0);
  EXPECT_EQ(accumulation(a, 4), 4 * u);
  EXPECT_EQ(accumulation(a, 10'000), 600 * u);
  EXPECT_EQ(matrix_accumulation(a, 10'000), 600 * u);
  a.matrix_unit = MatrixUnit::tensor_core;
  EXPECT_EQ(matrix_accumulation(a, 16), std::max(2 * 0x1p-22, 16 * u));
  EXPECT_EQ(matrix_accumulation(a, 160'000), 10'001 * 0x1p-22);
  EXPECT_EQ(accumulation(a, 10'000), 600 * u);
  a.matrix_unit = MatrixUnit::fp8_tensor_core;
  EXPECT_EQ(matrix_accumulation(a, 64), 69 * 0x1p-13 + 6 * u);
  EXPECT_DOUBLE_EQ(matrix_accumulation(a, 12'800), 133 * 0x1p-13 + 60 * u);
  a = {};
  a.unit = 0x1p-11;
  EXPECT_EQ(accumulation(a, 3), 3 * 0x1p-11);
}

TEST(Sum, ErrsByTheAccumulationOfMagnitudes) {
  const auto y = row_trial({0.1, -0.3, 0.7}).run(entry<Tracked, SumRow>);
  EXPECT_DOUBLE_EQ(y.value[0], 0.5);
  EXPECT_DOUBLE_EQ(y.envelope[0], 3 * u * (0.1 + 0.3 + 0.7));
}

TEST(Sum, IsExactOnSmallMultiplesOfOneQuantum) {
  EXPECT_EQ(row_trial({1, 2, -2, 1.5}).run(entry<Tracked, SumRow>).envelope[0], 0);
  EXPECT_EQ(row_trial({0, 0, 1e-3, 0}).run(entry<Tracked, DotRow>).envelope[0] > 0, true);
  // 2^24 + 1 no longer fits.
  EXPECT_GT(row_trial({0x1p24, 1}).run(entry<Tracked, SumRow>).envelope[0], 0);
  EXPECT_EQ(row_trial({0x1p23, 1}).run(entry<Tracked, SumRow>).envelope[0], 0);
}

TEST(Dot, KnowsHowManyBitsItsUnitKeeps) {
  auto trial = row_trial({1000, 3});
  EXPECT_EQ(trial.run(entry<Tracked, DotRow>).envelope[0], 0);
  trial.arithmetic.matrix_unit = MatrixUnit::fp8_tensor_core;  // 13 bits
  EXPECT_GT(trial.run(entry<Tracked, DotRow>).envelope[0], 0);
  trial = row_trial({100, 1});
  trial.arithmetic.matrix_unit = MatrixUnit::tensor_core;
  trial.arithmetic.input_rounding = 0x1p-11;
  EXPECT_GT(trial.run(entry<Tracked, DotRow>).envelope[0], 2 * 0x1p-11 * 10'001);
}

TEST(Dot, CountsProductsThatUnderflow) {
  const auto y = row_trial({1e-30f, 3e-30f}).run(entry<Tracked, DotRow>);
  EXPECT_GE(y.envelope[0], 2 * 0x1p-150);
}

TEST(Sum, LeavesTheRangeOnlyWhereAnOrderDoes) {
  auto y = row_trial({3e38, 3e38}).run(entry<Tracked, SumRow>);
  EXPECT_TRUE(std::isfinite(y.envelope[0])) << "6e38 is infinity in every order";
  y = row_trial({3e38, 3e38, -3e38}).run(entry<Tracked, SumRow>);
  EXPECT_EQ(y.envelope[0], infinity) << "infinity in some orders, 3e38 in others";
  y = row_trial({1, infinity}).run(entry<Tracked, SumRow>);
  EXPECT_EQ(y.value[0], infinity);
  EXPECT_EQ(y.envelope[0], 0);
  y = row_trial({-infinity, infinity}).run(entry<Tracked, SumRow>);
  EXPECT_TRUE(std::isnan(y.value[0]));
  EXPECT_EQ(y.free[0], 0);
}

TEST(Mean, AdmitsTheRoundedInverse) {
  const auto y = row_trial({0.1, 0.2, 0.4}).run(entry<Tracked, MeanRow>);
  const double exact = (0.1 + 0.2 + 0.4) / 3;
  EXPECT_DOUBLE_EQ(y.value[0], exact);
  EXPECT_NEAR(y.envelope[0], 3 * u * exact + 2 * u * exact, 1e-6 * u);
}

TEST(LayerNorm, IsTheClosedForm) {
  const std::vector<double> x = {10.5, 9.25, 11.125, 10};
  const auto y = row_trial(x).run(entry<Tracked, LayerNormRow>);
  const double n = 4, eps = 1e-5, a = 4 * u;
  double mean = 0, size = 0, variance = 0, spread = 0;
  for (const double v : x) mean += v / n, size += std::abs(v) / n;
  for (const double v : x)
    variance += (v - mean) * (v - mean) / n, spread += std::abs(v - mean) / n;
  const double whole = variance + eps, r = 1 / std::sqrt(whole);
  const double dm = (a + 2 * u) * size;
  const double kappa = std::sqrt((mean * mean + variance) / whole);
  const double dv = (a + 6 * u) * kappa * variance / whole + (2 * dm * spread + dm * dm) / whole;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = (x[i] - mean) * r;
    const double envelope =
        r * (dm + u * std::abs(x[i] - mean)) + std::abs(value) * (0.5 * dv + 4 * u);
    EXPECT_NEAR(y.value[i], value, 1e-13);
    EXPECT_NEAR(y.envelope[i], envelope, 1e-4 * envelope);
  }
}

TEST(LayerNorm, AdmitsRunningMomentsOfFewValues) {
  // bf16 near 1000 has steps of 4: every step of a running mean is rounded alike.
  for (const double offset : {100.0, 996.0, 1000.0}) {
    const double step = offset < 256 ? 0.5 : 4;
    std::vector<double> x;
    for (int i = 0; i < 16'384; ++i) x.push_back(offset + step * (i * 7 % 5 - 2));
    float mean = 0, squares = 0, number = 0;
    for (const double value : x) {
      const float off = static_cast<float>(value) - mean;
      mean += off / ++number;
      squares += off * (static_cast<float>(value) - mean);
    }
    const float scale = 1 / std::sqrt(squares / number + 1e-5f);
    const auto y = row_trial(x).run(entry<Tracked, LayerNormRow>);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float got = (static_cast<float>(x[i]) - mean) * scale;
      ASSERT_LE(std::abs(got - y.value[i]), 0.6 * y.envelope[i] + 0x1p-23) << offset << ' ' << i;
    }
  }
}

TEST(RmsNorm, IsTheClosedForm) {
  const std::vector<double> x = {0.5, -0.25, 0.001};
  const auto y = row_trial(x).run(entry<Tracked, RmsNormRow>);
  const double q = (0.25 + 0.0625 + 1e-6) / 3, share = q / (q + 1e-5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x[i] / std::sqrt(q + 1e-5);
    EXPECT_NEAR(y.value[i], value, 1e-13);
    const double envelope = std::abs(value) * (0.5 * (3 * u + 3 * u) * share + 4 * u);
    EXPECT_NEAR(y.envelope[i], envelope, 1e-4 * envelope);
  }
}

TEST(RmsNorm, IsUnknownWhereSquaresOverflow) {
  EXPECT_EQ(row_trial({1e30, 1}).run(entry<Tracked, RmsNormRow>).envelope[0], infinity);
  const auto y = row_trial({infinity, 1}).run(entry<Tracked, RmsNormRow>);
  EXPECT_TRUE(std::isnan(y.value[0]));
  EXPECT_EQ(y.value[1], 0);
  EXPECT_EQ(y.envelope[1], 0);
}

TEST(Norms, StayBoundedByEpsWhereTheVarianceIsLost) {
  // A constant row far from zero: the deviation is all rounding, the scale never beyond eps.
  const auto y = row_trial({1000.1, 1000.1, 1000.1}).run(entry<Tracked, LayerNormRow>);
  EXPECT_NEAR(y.value[0], 0, 1e-6);
  EXPECT_GT(y.envelope[0], 0.01);
  EXPECT_LT(y.envelope[0], 1);
}

}  // namespace
}  // namespace gate
