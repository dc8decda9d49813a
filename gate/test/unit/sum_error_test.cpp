// Where the root law of sums fails: swallowed terms and drifting equal terms, in fp32 for real.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/sum_error.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate {
namespace {

const Arithmetic f32_arithmetic;

double bound_of(const std::vector<double>& terms) {
  const auto value = [&](std::int64_t i) { return terms[static_cast<std::size_t>(i)]; };
  return sum_error(f32_arithmetic, false, static_cast<std::int64_t>(terms.size()), value)
      .bound(f32_arithmetic, false);
}

double lost_in_order(const std::vector<double>& terms) {
  float sum = 0;
  double exact = 0;
  for (const double term : terms) {
    sum += static_cast<float>(term);
    exact += term;
  }
  return std::abs(sum - exact);
}

std::vector<double> reversed(const std::vector<double>& terms) {
  return {terms.rbegin(), terms.rend()};
}

TEST(SumError, ShortSumsHaveTheSureBound) {
  const std::vector<double> terms(36, 0.1f);
  double magnitude = 0;
  for (const double term : terms) magnitude += term;
  EXPECT_DOUBLE_EQ(bound_of(terms), 36 * 0x1p-24 * magnitude);
}

TEST(SumError, ALargeTermSwallowsSmallOnesInEitherOrder) {
  std::vector<double> terms(5000, 0x1.8p-26);
  terms.push_back(1);
  const double lost = lost_in_order(reversed(terms));
  EXPECT_GT(lost, accumulation(f32_arithmetic, 5001)) << "the root law is broken here";
  EXPECT_LE(lost, bound_of(terms));
  EXPECT_LE(lost, bound_of(reversed(terms)));
  EXPECT_LE(lost_in_order(terms), bound_of(reversed(terms)));
}

TEST(SumError, EqualTermsDrift) {
  for (const float term : {0.1f, 0.7f, 1.1f, 3.3f}) {
    const std::vector<double> terms(65'536, term);
    EXPECT_LE(lost_in_order(terms), bound_of(terms)) << term;
  }
  const std::vector<double> terms(65'536, 0.1f);
  EXPECT_GT(lost_in_order(terms), accumulation(f32_arithmetic, 65'536) * 6553.6)
      << "the root law is broken here";
}

TEST(SumError, OrdinaryTermsLoosenLittle) {
  std::vector<double> terms;
  double magnitude = 0;
  for (int i = 0; i < 4096; ++i) {
    terms.push_back(static_cast<float>(1 + std::sin(i * 0.7)));
    magnitude += terms.back();
  }
  EXPECT_LE(bound_of(terms), 1.25 * accumulation(f32_arithmetic, 4096) * magnitude);
}

}  // namespace
}  // namespace gate
