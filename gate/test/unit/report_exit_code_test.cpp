// The exit code is a function of the report: first that applies of red, environment, inconclusive.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/report/counts.h"
#include "gate/test/golden/situations.h"

namespace gate {
namespace {

using namespace situations;  // NOLINT: the sample of this test

Report report_of(const std::vector<Kind>& kinds) {
  Report report;
  report.rows.push_back(sample_row("k", Class::clean, Kind::pass));
  for (const Kind kind : kinds) {
    TestRow test = sample_test("k", "f32/" + std::string(name(kind)));
    test.kind = kind;
    report.rows[0].tests.push_back(test);
  }
  return report;
}

TEST(ExitCode, all_green_is_0) { EXPECT_EQ(exit_code(report_of({Kind::pass, Kind::pass})), 0); }

TEST(ExitCode, every_red_kind_is_1_and_every_grey_kind_is_not_0) {
  for (const Kind kind : all_kinds()) {
    const int code = exit_code(report_of({Kind::pass, kind}));
    if (colour(kind) == Colour::red) {
      EXPECT_EQ(code, 1) << name(kind);
    }
    if (colour(kind) == Colour::grey) {
      EXPECT_EQ(code, kind == Kind::environment ? 3 : 4) << name(kind);
    }
  }
}

TEST(ExitCode, red_beats_environment_beats_inconclusive) {
  EXPECT_EQ(exit_code(report_of({Kind::not_checked, Kind::environment, Kind::crash})), 1);
  EXPECT_EQ(exit_code(report_of({Kind::not_checked, Kind::environment})), 3);
}

TEST(ExitCode, nothing_checked_is_4) {
  EXPECT_EQ(exit_code(Report{}), 4);
  EXPECT_EQ(exit_code(report_of({})), 4);
}

TEST(ExitCode, a_row_without_tests_beside_a_green_one_is_4) {
  Report report = report_of({Kind::pass});
  report.rows.push_back(sample_row("other", Class::clean, Kind::pass));
  EXPECT_EQ(exit_code(report), 4);
}

TEST(ExitCode, skipped_red_is_0) {
  Report report = report_of({Kind::wrong});
  report.rows[0].tests[0].skipped = true;
  EXPECT_EQ(exit_code(report), 0);
}

TEST(ExitCode, not_selected_counts_only_with_require_all) {
  Report report = report_of({Kind::pass});
  report.not_selected = {{"a/b", "reason"}};
  EXPECT_EQ(exit_code(report), 0);
  report.require_all = true;
  EXPECT_EQ(exit_code(report), 4);
}

TEST(ExitCode, loosening_is_1_and_a_missing_device_3) {
  Report report = report_of({Kind::pass});
  report.environment_problem = "no GPU";
  EXPECT_EQ(exit_code(report), 3);
  report.loosened = true;
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Counts, a_kernel_is_as_expected_only_if_all_its_columns_are) {
  Report report;
  for (const bool as_expected : {true, false}) {
    report.rows.push_back(sample_row("k", Class::clean, Kind::pass));
    report.rows.back().expected = "clean";
    report.rows.back().as_expected = as_expected;
  }
  report.rows.push_back(sample_row("other", Class::clean, Kind::pass));
  const Counts counts = count(report);
  EXPECT_EQ(counts.rows, 3u);
  EXPECT_EQ(counts.kernels, 2u);
  EXPECT_EQ(counts.kernels_expecting, 1u);
  EXPECT_EQ(counts.kernels_as_expected, 0u);
}

}  // namespace
}  // namespace gate
