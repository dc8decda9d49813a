// Modelled accumulators keep their bounds, and suites hold correct algorithms clean.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "gate/base/files.h"
#include "gate/oracle/element.h"
#include "gate/search/suite_draws.h"
#include "gate/search/suite_sums.h"
#include "gate/spec/read.h"

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

/// Our committed c of what a suite models; 1 where no op has that column.
double committed_c(const Suite& suite) {
  const std::string op = suite.family.name == "dot" ? "matmul" : std::string(suite.family.name);
  const std::filesystem::path file =
      std::filesystem::path(GATE_SOURCE_DIR) / "tolerances" / (op + ".toml");
  const auto text = read_file(file);
  if (!text) return 0;
  const auto table = parse_tolerances(*text, file);
  if (!table) return 0;
  const auto row = table->rows.find(std::string(suite.column));
  return row == table->rows.end() ? 1 : row->second.c;
}

/// Elements of one distribution, and those whose limit is wider than the split form's.
std::pair<std::size_t, std::size_t> wider_limits(const Suite& suite, std::string_view distribution,
                                                 double c) {
  Tolerance ours, split;
  ours.c = c;
  split.c = suite.split_c;
  const ElementRule our_rule = element_rule(suite.out, ours, Contract());
  const ElementRule split_rule = element_rule(suite.out, split, Contract());
  SuiteInput shape;
  shape.in = suite.in;
  shape.out = suite.out;
  shape.tf32 = suite.tf32;
  shape.n = suite.family.sizes[1];
  const SuiteInput input = suite.family.draw(shape, distribution, 11);
  const SuiteBounds a = suite_bounds(suite.family, input), b = suite.family.split(input);
  std::size_t wider = 0;
  for (std::size_t i = 0; i < a.value.size(); ++i) {
    const double limit = limit_of(split_rule, b.value[i], b.envelope[i]);
    const bool is_wider = limit_of(our_rule, a.value[i], a.envelope[i]) > limit + 0x1p-146;
    wider += is_wider ? 1 : 0;
  }
  return {a.value.size(), wider};
}

TEST(Suites, LimitsAreSeldomWiderThanThoseOfTheSplitForm) {
  for (const Suite& suite : all_suites()) {
    const double c = committed_c(suite);
    ASSERT_GE(c, 1) << suite.name;
    std::size_t elements = 0, wider = 0;
    for (const std::string_view distribution : suite.family.distributions) {
      const auto [all, more] = wider_limits(suite, distribution, c);
      elements += all;
      wider += more;
    }
    // Rows of few values, where running moments drift.
    EXPECT_LE(wider, elements / 20) << suite.name;
  }
}

}  // namespace
}  // namespace gate
