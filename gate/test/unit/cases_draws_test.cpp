// Draws: the normal table against the error function, moments and tails, exp against libm.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gate/cases/draws.h"
#include "gate/cases/normal_table.h"

namespace gate {
namespace {

double upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

TEST(Draws, EveryKnotOfTheNormalTableIsItsQuantile) {
  for (std::size_t knot = 0; knot < normal_quantiles.size(); ++knot) {
    const double p =
        std::ldexp(1.0 + static_cast<double>(knot % 16) / 16, static_cast<int>(knot / 16) - 33);
    EXPECT_NEAR(upper_tail(normal_quantiles[knot]) / p, 1.0, 1e-9) << "knot " << knot;
  }
}

TEST(Draws, NormalDrawsAreStandardNormal) {
  RandomStream stream(0x5eed, 1);
  constexpr int count = 200'000;
  std::vector<double> values(count);
  for (double& value : values) value = draw_normal(stream);
  double sum = 0, squares = 0, fourth = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 1.0, 0.015);
  EXPECT_NEAR(fourth / count, 3.0, 0.15);
  // Kolmogorov-Smirnov at a level of about 1e-5 for this fixed key.
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (int i = 0; i < count; ++i)
    distance = std::max(distance, std::abs(1.0 - upper_tail(values[static_cast<std::size_t>(i)]) -
                                           (i + 0.5) / count));
  EXPECT_LT(distance * std::sqrt(count), 2.5);
  EXPECT_GT(values.back(), 3.9);
  EXPECT_LT(values.front(), -3.9);
}

TEST(Draws, ExponentialAgreesWithLibm) {
  for (double x = -700; x <= 700; x += 0.37)
    EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 1e-13) << x;
  EXPECT_EQ(exponential(0), 1.0);
}

TEST(Draws, UniformStaysInItsInterval) {
  RandomStream stream(3, 4);
  double least = 1, most = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double value = draw_uniform(stream);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_GE(least, 0.0);
  EXPECT_LT(most, 1.0);
  EXPECT_LT(least, 0.01);
  EXPECT_GT(most, 0.99);
}

TEST(Draws, ChanceMeetsItsPercentage) {
  RandomStream stream(5, 6);
  int met = 0;
  for (int i = 0; i < 10'000; ++i) met += draw_chance(stream, 30) ? 1 : 0;
  EXPECT_NEAR(met, 3000, 200);
  EXPECT_FALSE(draw_chance(stream, 0));
  EXPECT_TRUE(draw_chance(stream, 100));
}

}  // namespace
}  // namespace gate
