// What a workflow makes of a report, and the verdicts side by side per class of GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/cli/sandbox_probe.h"
#include "gate/report/fail_on.h"
#include "gate/report/gpu_classes.h"

namespace gate {
namespace {

TestRow test_of(Kind kind, const std::string& novelty = "") {
  TestRow test;
  test.suite = "softmax/row";
  test.name = "f32/mixed";
  test.kind = kind;
  if (!novelty.empty()) test.properties["ig.novelty"] = novelty;
  return test;
}

Report report_of(const std::vector<TestRow>& tests, const std::string& novelty = "") {
  Report report;
  ReportRow row;
  row.op = "softmax";
  row.kernel = "row";
  row.column = "f32";
  row.tests = tests;
  if (!novelty.empty()) {
    row.findings.emplace_back();
    row.findings.back().novelty = novelty;
  }
  report.rows.push_back(row);
  return report;
}

TEST(fail_on, a_new_finding_fails_unless_nothing_does) {
  const Report report = report_of({test_of(Kind::wrong, "new")}, "new");
  EXPECT_EQ(judged_exit_code(report, {}), 1);
  EXPECT_EQ(judged_exit_code(report, {.on = FailOn::any}), 1);
  EXPECT_EQ(judged_exit_code(report, {.on = FailOn::never}), 0);
  EXPECT_EQ(to_outputs(report),
            "verdict=fail\nnew-count=1\nknown-count=0\nfixed-count=0\nflaky-count=0\n"
            "infra-count=0\n");
}

TEST(fail_on, flaky_findings_fail_unless_they_only_warn) {
  const Report report = report_of({test_of(Kind::wrong, "flaky"), test_of(Kind::pass)}, "flaky");
  EXPECT_EQ(judged_exit_code(report, {}), 1);
  EXPECT_EQ(judged_exit_code(report, {.flaky_blocks = false}), 0);
  const Report both =
      report_of({test_of(Kind::wrong, "flaky"), test_of(Kind::wrong, "new")}, "flaky");
  EXPECT_EQ(judged_exit_code(both, {.flaky_blocks = false}), 1) << "a new one beside it still does";
}

TEST(fail_on, any_counts_what_the_base_has_too) {
  TestRow known = test_of(Kind::wrong, "known");
  known.skipped = true;
  const Report report = report_of({known, test_of(Kind::pass)}, "known");
  EXPECT_EQ(judged_exit_code(report, {}), 0);
  EXPECT_EQ(judged_exit_code(report, {.on = FailOn::any}), 1);
}

TEST(fail_on, grey_stays_grey) {
  const Report report = report_of({test_of(Kind::environment)});
  EXPECT_EQ(judged_exit_code(report, {.flaky_blocks = false}), 3);
  EXPECT_NE(to_outputs(report).find("infra-count=1\n"), std::string::npos);
  EXPECT_EQ(judged_exit_code(Report{}, {}), 4) << "nothing was checked";
  Report shard;
  shard.shard = "1/2";
  EXPECT_EQ(judged_exit_code(shard, {}), 0) << "nothing fell into this shard";
  shard.environment_problem = "no device";
  EXPECT_EQ(judged_exit_code(shard, {}), 3);
}

TEST(gpu_classes, differences_come_first_and_gaps_are_named) {
  Report report;
  const auto add = [&](const std::string& kernel, const std::string& gpu, Class klass) {
    ReportRow row;
    row.op = "softmax";
    row.kernel = kernel;
    row.column = "f32";
    row.gpu_class = gpu;
    row.klass = klass;
    report.rows.push_back(row);
  };
  add("calm", "h200", Class::clean);
  add("calm", "l4", Class::clean);
  add("odd", "h200", Class::clean);
  add("odd", "l4", Class::illusion);
  add("lone", "h200", Class::clean);
  report.gpu_classes_not_run = {"b200"};
  EXPECT_EQ(gpu_classes(report), (std::vector<std::string>{"h200", "l4"}));
  EXPECT_EQ(gpu_class_text(report),
            "\nVerdicts per class of GPU:\n"
            "  softmax/odd f32:  h200 clean  l4 illusion\n"
            "  softmax/lone f32:  h200 clean  l4 no row\n"
            "  softmax/calm f32:  h200 clean  l4 clean\n"
            "  not run (known gap): b200\n");
  const std::string table = gpu_class_markdown(report, 1);
  EXPECT_NE(table.find("odd"), std::string::npos);
  EXPECT_NE(table.find("| not run |"), std::string::npos);
  EXPECT_NE(table.find("+2 more rows"), std::string::npos);
  EXPECT_EQ(gpu_class_markdown(Report{}, 20), "");
}

TEST(toolkit, versions_are_compared_as_numbers) {
  EXPECT_EQ(toolkit_version("NVIDIA Container Toolkit CLI version 1.17.8"), "1.17.8");
  EXPECT_EQ(toolkit_version("not found"), "");
  for (const char* enough : {"1.17.8", "1.18.0", "1.17.10", "2.0.0"}) {
    EXPECT_TRUE(toolkit_is_new_enough(enough)) << enough;
  }
  for (const char* old : {"1.17.7", "1.9.9", "1.17", "0.18.0", ""}) {
    EXPECT_FALSE(toolkit_is_new_enough(old)) << old;
  }
}

}  // namespace
}  // namespace gate
