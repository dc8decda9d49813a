// Texts for readers, compared with committed ones.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "gate/report/html.h"
#include "gate/report/jsonl.h"
#include "gate/report/score.h"
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

/// Events as `gate run --jsonl` writes them.
TEST(GoldenReport, events) {
  const Report report = sample_report();
  std::string text = start_events(report, 8);
  for (const ReportRow& row : report.rows) {
    text += row_events(row);
    for (const TestRow& test : row.tests) text += test_event(row, test);
  }
  expect_golden("run_events.jsonl", normalised(text + end_events(report)));
}

TEST(GoldenReport, scores) {
  Report report = sample_report();
  report.rows[1].author = "model-x";
  expect_golden("run_scores.json", to_scores(report));
}

TEST(GoldenReport, page) { expect_golden("run_page.html", normalised(to_html(sample_report()))); }

}  // namespace
}  // namespace gate
