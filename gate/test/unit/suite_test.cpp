// Modelled accumulators keep their bounds, and suites hold correct algorithms clean.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gate/oracle/element.h"
#include "gate/search/suite_draws.h"
#include "gate/search/suite_sums.h"

namespace gate {
namespace {

TEST(SuiteSums, StayWithinTheirFactors) {
  const std::vector<double> values = suite_values({"uniform01", 1, 5000, DType::f16, 5, 1});
  const auto term = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  double exact = 0;
  for (const double value : values) exact += value;
  const auto n = static_cast<double>(values.size());
  const auto error = [&](Summation how) {
    return std::abs(suite_sum(5000, term, how) - exact) / exact;
  };
  for (const Summation how : {Summation::serial, Summation::pairwise, Summation::split}) {
    EXPECT_LE(error(how), serial_factor(n));
    EXPECT_GT(error(how), 0);
  }
  EXPECT_LE(error(Summation::tensor_core), tensor_factor(n));
  EXPECT_GT(error(Summation::tensor_core), serial_factor(n) / 30);  // it truncates
  EXPECT_LE(error(Summation::fp8_core), fp8_factor(n));
  EXPECT_GT(error(Summation::fp8_core), error(Summation::tensor_core));
}

TEST(SuiteSums, LowAccumulatorsStall) {
  const auto one = [](std::int64_t) { return 1.0; };
  EXPECT_EQ(suite_sum(1000, one, Summation::serial, DType::bf16), 256);
  EXPECT_EQ(suite_sum(1000, one, Summation::serial), 1000);
}

/// Whether some element fails at multiplier c.
bool fails(const std::vector<double>& got, const SuiteBounds& bounds, DType out, double c) {
  Tolerance tolerance;
  tolerance.c = c;
  const ElementRule rule = element_rule(out, tolerance, Contract());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const ElementState state = state_of(rule, got[i], bounds.value[i], bounds.envelope[i]);
    if (state != ElementState::match) return true;
  }
  return false;
}

TEST(Suites, HoldCorrectAlgorithmsCleanAndZerosRed) {
  ASSERT_EQ(all_suites().size(), 13u);
  for (const Suite& suite : all_suites()) {
    SuiteInput shape;
    shape.in = suite.in;
    shape.out = suite.out;
    shape.tf32 = suite.tf32;
    shape.n = suite.family.sizes.front();
    const SuiteInput input = suite.family.draw(shape, "normal", 9);
    const SuiteBounds ours = suite_bounds(suite.family, input), split = suite.family.split(input);
    ASSERT_EQ(ours.value.size(), split.value.size()) << suite.name;
    for (std::size_t i = 0; i < ours.value.size(); ++i) {
      ASSERT_NEAR(ours.value[i], split.value[i], 1e-9 * (1 + std::abs(split.value[i])))
          << suite.name;
    }
    int correct = 0, wrong = 0;
    for (const SuiteKernel& kernel : suite.family.kernels(input)) {
      const std::vector<double> got = suite.family.run(input, kernel);
      ASSERT_EQ(got.size(), ours.value.size()) << suite.name << " " << kernel.algorithm;
      const bool is_correct = kernel.fault == SuiteFault::none;
      (is_correct ? correct : wrong) += 1;
      const bool rejected = fails(got, ours, input.out, 2);
      EXPECT_FALSE(is_correct && rejected) << suite.name << " " << kernel.algorithm;
      EXPECT_TRUE(kernel.fault != SuiteFault::zeros || rejected) << suite.name;
    }
    EXPECT_GE(correct, 2) << suite.name;
    EXPECT_GE(wrong, 5) << suite.name;
  }
}

}  // namespace
}  // namespace gate
