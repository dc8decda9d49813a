// Scores: what is true of a kernel is true of every column.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/score.h"

#include <gtest/gtest.h>

#include "gate/test/golden/situations.h"

namespace gate {
namespace {

using namespace situations;  // NOLINT: the sample of this test

ReportRow judged_row(const std::string& kernel, Class klass, Kind kind) {
  ReportRow row = sample_row(kernel, klass, kind);
  row.coverage.elements = 100;
  row.fixed_shape = {{"kernelbench", "randn", true, "", 5}};
  row.illusion_rule_passed = true;
  return row;
}

TEST(Score, columns_are_joined_and_the_worst_class_stays) {
  Report report;
  report.rows = {judged_row("a", Class::clean, Kind::pass),
                 judged_row("a", Class::defect, Kind::wrong),
                 judged_row("b", Class::clean, Kind::pass)};
  report.rows[1].column = "f16";
  report.rows[1].illusion_rule_passed = false;
  report.rows[1].findings = {sample_finding()};
  const std::vector<Score> scores = scores_of(report);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].columns, (std::vector<std::string>{"f32", "f16"}));
  EXPECT_EQ(scores[0].klass, Class::defect);
  EXPECT_TRUE(scores[0].compiled && scores[0].ran && scores[0].checked);
  EXPECT_FALSE(scores[0].fixed_shape_pass);
  EXPECT_EQ(scores[0].findings.at(Kind::wrong), 1);
  EXPECT_TRUE(scores[1].fixed_shape_pass);
}

TEST(Score, what_does_not_build_neither_compiled_nor_ran) {
  Report report;
  report.rows = {judged_row("a", Class::defect, Kind::build_failed)};
  const Score score = scores_of(report).front();
  EXPECT_FALSE(score.compiled);
  EXPECT_FALSE(score.ran);
}

TEST(Score, an_unfinished_plan_is_not_checked_and_an_unmeasured_rule_is_null) {
  Report report;
  report.rows = {judged_row("a", Class::clean, Kind::pass)};
  report.rows[0].planned = report.rows[0].cases + 1;
  report.rows[0].fixed_shape.clear();
  const Score score = scores_of(report).front();
  EXPECT_FALSE(score.checked);
  EXPECT_TRUE(score_json(score)["fixed_shape_pass"].is_null());
}

TEST(Score, the_table_counts_kernels_by_op_and_author) {
  Report report;
  report.rows = {judged_row("a", Class::clean, Kind::pass),
                 judged_row("b", Class::illusion, Kind::wrong),
                 judged_row("c", Class::clean, Kind::pass)};
  EXPECT_TRUE(score_table_text(report).empty());
  report.rows[0].author = report.rows[1].author = "model-x";
  report.rows[1].findings = {sample_finding()};
  report.rows[2].op = "gelu";
  report.rows[2].author = "model-y";
  const std::vector<ScoreLine> lines = score_table(report);
  ASSERT_EQ(lines.size(), 4u);  // gelu y, softmax x; all: x, y
  EXPECT_EQ(lines[1].op, "softmax");
  EXPECT_EQ(lines[1].kernels, 2);
  EXPECT_EQ(lines[1].classes.at(Class::illusion), 1);
  EXPECT_EQ(lines[1].findings.at(Kind::wrong), 1);
  EXPECT_TRUE(lines[2].op.empty());
  EXPECT_NE(score_table_text(report).find("model-y"), std::string::npos);
}

}  // namespace
}  // namespace gate
