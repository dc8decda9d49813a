// Texts for readers, compared with committed ones.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "gate/test/golden/golden_file.h"
#include "gate/test/golden/situations.h"

namespace gate {
namespace {

using namespace situations;  // NOLINT: the sample of this test

/// zlib versions pack alike sizes differently: tokens are not part of the comparison.
std::string normalised(const std::string& text) {
  return std::regex_replace(text, std::regex("ig1:[A-Za-z0-9_-]+"), "ig1:TOKEN");
}

TEST(GoldenReport, console_summary) {
  expect_golden("run_summary.txt", normalised(to_console_summary(sample_report(), false)));
}

TEST(GoldenReport, junit) { expect_golden("run_junit.xml", normalised(to_junit(sample_report()))); }

TEST(GoldenReport, json) { expect_golden("run_report.json", normalised(to_json(sample_report()))); }

TEST(GoldenReport, summary_of_a_clean_run) {
  Report report = sample_report();
  report.rows.resize(1);
  report.not_selected.clear();
  report.left_out.clear();
  expect_golden("run_summary_clean.txt", normalised(to_console_summary(report, false)));
}

}  // namespace
}  // namespace gate
