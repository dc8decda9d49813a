// Where the root law of sums fails: swallowed terms and drifting equal terms, in fp32 for real.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/sum_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "gate/test/property/correct_sums.h"

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
  EXPECT_LE(bound_of(terms), 1.07 * accumulation(f32_arithmetic, 4096) * magnitude);
}

/// A few large terms among many of so many places of their sum: all rests of a kind, or spread.
std::vector<double> small_terms(double places, double spread, std::size_t large) {
  std::vector<double> terms(large, 1);
  RandomStream random(7, static_cast<std::uint64_t>(places * 1000));
  const double place = std::ldexp(0x1p-23, std::ilogb(static_cast<double>(large)));
  for (int i = 0; i < 8000; ++i) {
    terms.push_back(static_cast<float>(place * (places + spread * random.unit())));
  }
  return terms;
}

TEST(SumError, CoversSmallTermsInEveryOrder) {
  for (const double places : {0.2, 0.4, 0.6, 0.8, 1.3, 1.45, 1.55, 2.4, 2.9}) {
    for (const double spread : {0.0, 0.05, 1.0}) {
      for (const std::size_t large : {1u, 3u, 4u}) {
        std::vector<double> terms = small_terms(places, spread, large);
        for (int order = 0; order < 3; ++order) {
          const correct::Floats f32(terms.begin(), terms.end());
          double exact = 0;
          for (const double term : terms) exact += term;
          for (const correct::Adding adding : correct::all_addings) {
            EXPECT_LE(std::abs(correct::add_up(adding, f32) - exact), bound_of(terms))
                << places << ' ' << spread << ' ' << large << ' ' << correct::name(adding);
          }
          if (order == 0) std::sort(terms.begin(), terms.end());
          if (order == 1) std::reverse(terms.begin(), terms.end());
        }
      }
    }
  }
}

TEST(SumError, CoversSmallTermsOnTensorCores) {
  Arithmetic arithmetic;
  arithmetic.matrix_unit = MatrixUnit::tensor_core;
  for (const double places : {0.1, 0.3, 0.45, 0.6, 0.95, 1.2, 1.45, 1.9}) {
    for (const double spread : {0.0, 1.0}) {
      const std::vector<double> terms = small_terms(places, spread, 1);
      const correct::Floats f32(terms.begin(), terms.end()), ones(terms.size(), 1);
      double exact = 0;
      for (const double term : terms) exact += term;
      const auto value = [&](std::int64_t i) { return terms[static_cast<std::size_t>(i)]; };
      const auto count = static_cast<std::int64_t>(terms.size());
      const double lost = std::abs(correct::tensor_core_dot(f32, ones) - exact);
      EXPECT_LE(lost, sum_error(arithmetic, true, count, value).bound(arithmetic, true))
          << places << ' ' << spread;
    }
  }
}

TEST(SumError, LoosensPositiveProductsOnTensorCoresLittle) {
  Arithmetic arithmetic;
  arithmetic.matrix_unit = MatrixUnit::tensor_core;
  RandomStream random(3, 4);
  std::vector<double> terms;
  for (int i = 0; i < 40'000; ++i) terms.push_back(random.unit() * random.unit());
  const auto value = [&](std::int64_t i) { return terms[static_cast<std::size_t>(i)]; };
  const SumError error = sum_error(arithmetic, true, 40'000, value);
  EXPECT_LE(error.bound(arithmetic, true),
            1.4 * matrix_accumulation(arithmetic, 40'000) * error.magnitude());
}

}  // namespace
}  // namespace gate
