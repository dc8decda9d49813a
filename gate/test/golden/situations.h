// One report with every situation that texts have to show: clean, illusion with its finding, grey,
// known, not selected, left out. Written by hand, so that the texts do not depend on a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/report/report.h"

namespace gate::situations {

inline TestRow sample_test(const std::string& kernel, const std::string& name) {
  TestRow test;
  test.suite = "softmax/" + kernel;
  test.name = name;
  test.file = "testcases/softmax/kernels/" + kernel + ".cpp";
  test.line = 12;
  test.seconds = 0.25;
  return test;
}

inline Case sample_case(std::int64_t rows, std::int64_t cols) {
  Case value;
  value.op = "softmax";
  value.column = "f32";
  value.axes = {{"rows", rows}, {"cols", cols}};
  value.tensors["x"].profile = "normal@1";
  value.tensors["y"] = {};
  value.key = 0xff;
  return value;
}

inline Finding sample_finding() {
  Finding finding;
  finding.op = "softmax";
  finding.kernel = "padded";
  finding.column = "f32";
  finding.device = "host";
  RawFailure& failure = finding.failure;
  failure.first.number = 2;
  failure.first.strategy = "boundary";
  failure.first.test_case = sample_case(3, 129);
  failure.first.verdict.kind = Kind::wrong;
  failure.shrunk = failure.first;
  failure.shrunk.test_case = sample_case(1, 2);
  failure.shrunk.verdict.text = "2 of 2 elements of y are wrong";
  failure.shrink_executions = 37;
  failure.confirmed = failure.attempts = 10;
  finding.explanation = {"all elements",
                         "",
                         "fails exactly when cols % 128 != 0 (41 of 41 failing, 0 of 63 passing)",
                         "wrong (all elements) at rows=1 cols=2: 2 of 2 elements of y are wrong",
                         "y[0,1]: got 0.0078, want 0.5, limit 1e-06",
                         "##\n##"};
  Seed& seed = finding.seed;
  seed.kernel = "padded";
  seed.test_case = failure.shrunk.test_case;
  seed.kind = Kind::wrong;
  seed.pattern = "all elements";
  seed.fingerprint = fingerprint("softmax", "f32", "value", Kind::wrong, "padded");
  seed.input_digest = std::string(64, 'a');
  seed.output_digest = std::string(64, 'b');
  seed.found_on = "2026-01-02";
  seed.device = "host";
  finding.source_file = "testcases/softmax/kernels/padded.cpp";
  finding.source_line = 12;
  return finding;
}

inline ReportRow sample_row(const std::string& kernel, Class klass, Kind kind) {
  ReportRow row;
  row.kernel = kernel;
  row.op = "softmax";
  row.column = "f32";
  row.device = "host";
  row.corpus = "paper";
  row.klass = klass;
  row.kind = kind;
  row.cases = 24;
  row.planned = 24;
  row.c = 1;
  row.tolerance = "default";
  row.largest_ratio = 0.375;
  row.seconds = 1.5;
  row.strategies = {{"boundary", 12}, {"exact", 12}};
  return row;
}

inline Coverage sample_coverage() {
  Coverage coverage;
  coverage.axes = {{"rows", 1, 4096, 1, 64, 3}, {"cols", 1, 65536, 1, 4096, 4}};
  coverage.points = {
      {{1, 2}, 3, 0, 0}, {{1, 129}, 8, 0, 0}, {{64, 1}, 8, 0, 1}, {{3, 4096}, 5, 0, 0}};
  coverage.properties = {{"law:rows_independent", 4}, {"value", 20}};
  coverage.untried = {"special", "layout strided of x"};
  coverage.elements = 12345;
  coverage.unjudgeable_elements = 17;
  coverage.null_kernels = {{"zeros", 4, 0}, {"rows_permuted", 0, 2}};
  coverage.slack = RelativeSlack{1e-7, 2.5e-6, 0.03, 16};
  return coverage;
}

inline ReportRow sample_clean_row() {
  ReportRow row = sample_row("careful", Class::clean, Kind::pass);
  row.expected = "clean";
  row.fixed_shape = {{"kernelbench", "randn", true, "", 5}};
  row.illusion_rule_passed = true;
  row.not_shown = {"cols above 4096 was not tried (legal up to 65536)"};
  row.coverage = sample_coverage();
  row.tests = {sample_test("careful", "f32/exact"), sample_test("careful", "f32/boundary"),
               sample_test("careful", "f32/fixed_shape"),
               sample_test("careful", "f32/expectation")};
  return row;
}

inline ReportRow sample_illusion_row() {
  ReportRow row = sample_row("padded", Class::illusion, Kind::wrong);
  row.cases_to_first_finding = 3;
  row.fixed_shape = {{"kernelbench", "randn", true, "", 5},
                     {"geak", "randn", false, "draw 1 differs", 1}};
  row.illusion_rule_passed = true;
  row.findings = {sample_finding()};
  row.not_shown = {"cols above 4096 was not tried (legal up to 65536)"};
  TestRow red = sample_test("padded", "f32/boundary");
  red.kind = Kind::wrong;
  red.message = "wrong: 2 of 2 elements <of> \"y\" & more\nin two lines";
  red.body = "what: text with ]]> and \x01 and \xff bytes\nsecond line";
  red.properties = {{"ig.novelty", "new"}, {"ig.fingerprint", row.findings[0].seed.fingerprint}};
  TestRow known = red;
  known.name = "f32/seed/0123";
  known.skipped = true;
  known.message = "known (issue 7): wrong";
  row.tests = {sample_test("padded", "f32/exact"), red, known};
  return row;
}

inline ReportRow sample_grey_row() {
  ReportRow row = sample_row("hurried", Class::unchecked, Kind::not_checked);
  row.cases = 0;
  row.strategies.clear();
  TestRow grey = sample_test("hurried", "f32/exact");
  grey.kind = Kind::not_checked;
  grey.message = "the time limit ran out";
  row.tests = {grey};
  return row;
}

inline Report sample_report() {
  Report report;
  report.run_seed = "0x0000000000000001";
  report.profile = "pr";
  report.device = "emu";
  report.device_facts = "{\"host\":{}}";
  report.version = "0.0.0";
  report.started = "2026-01-02T03:04:05Z";
  report.not_selected = {{"softmax/triton", "no Python here"}};
  report.left_out = {"softmax/padded.f32/expectation"};
  report.rows = {sample_clean_row(), sample_illusion_row(), sample_grey_row()};
  report.seconds = 3.25;
  return report;
}

}  // namespace gate::situations
