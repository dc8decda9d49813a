// Bounds and sentences about what was not shown.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "gate/report/coverage.h"
#include "gate/test/golden/situations.h"

namespace gate {
namespace {

TEST(FailureRate, without_a_failure_it_is_the_closed_form) {
  EXPECT_NEAR(failure_rate_bound(0, 1), 0.95, 1e-12);
  EXPECT_NEAR(failure_rate_bound(0, 59), 0.0495076, 1e-6);
  EXPECT_NEAR(failure_rate_bound(0, 100'000), 3.0 / 100'000, 1e-7);  // the rule of three
}

/// Upper one-sided 95 % limits of tables (beta quantiles).
TEST(FailureRate, with_failures_it_is_clopper_pearson) {
  EXPECT_NEAR(failure_rate_bound(1, 10), 0.394163, 1e-5);
  EXPECT_NEAR(failure_rate_bound(2, 20), 0.282619, 1e-5);
  EXPECT_NEAR(failure_rate_bound(5, 50), 0.198833, 1e-5);
  EXPECT_NEAR(failure_rate_bound(10, 1000), 0.016903, 1e-5);
}

TEST(FailureRate, nothing_checked_or_all_failed_bounds_nothing) {
  EXPECT_EQ(failure_rate_bound(0, 0), 1);
  EXPECT_EQ(failure_rate_bound(7, 7), 1);
  EXPECT_EQ(failure_rate_bound(8, 7), 1);
}

TEST(FailureRate, never_below_the_observed_rate_and_shrinking_with_cases) {
  for (std::int64_t cases = 2; cases < 3000; cases = cases * 3 / 2 + 1) {
    for (const std::int64_t failed : {std::int64_t{0}, std::int64_t{1}, cases / 2}) {
      const double bound = failure_rate_bound(failed, cases);
      EXPECT_GE(bound, static_cast<double>(failed) / static_cast<double>(cases));
      EXPECT_LE(failure_rate_bound(failed, cases + 1), bound);
    }
  }
}

TEST(Coverage, a_null_kernel_survives_only_if_it_applied_and_no_case_rejected_it) {
  Coverage coverage;
  coverage.null_kernels = {{"zeros", 3, 1}, {"constant", 0, 2}, {"copy_of_input", 0, 0}};
  EXPECT_EQ(surviving_null_kernels(coverage), std::vector<std::string>{"constant"});
}

TEST(Coverage, lines_name_devices_slack_of_clean_rows_and_unjudgeable_elements) {
  Report report = situations::sample_report();
  std::vector<std::string> lines = coverage_lines(report);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[0].find("3 rows ran on host only"), std::string::npos);
  EXPECT_NE(lines[1].find("f32 2.5e-06 (0.03 in the loosest case)"), std::string::npos);
  EXPECT_EQ(lines[2],
            "3 of 3 rows are judged by default tolerances, not calibrated ones: softmax f32");
  EXPECT_NE(lines[3].find("17 of 12345"), std::string::npos);
  report.rows[0].klass = Class::unchecked;
  EXPECT_EQ(coverage_lines(report).size(), 3u);
}

TEST(Coverage, calibrated_and_exact_rows_are_no_default_ones) {
  Report report = situations::sample_report();
  report.rows[0].tolerance = "calibrated";
  report.rows[1].tolerance = "exact";
  EXPECT_EQ(coverage_lines(report)[2],
            "1 of 3 rows are judged by default tolerances, not calibrated ones: softmax f32");
  for (ReportRow& row : report.rows) row.tolerance = "calibrated";
  for (const std::string& line : coverage_lines(report)) {
    EXPECT_EQ(line.find("default"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace gate
