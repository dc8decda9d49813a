// Reports for tests of formats and of the publisher: an ordinary red one, a green one, and one in
// which everything that a kernel or a fork controls tries to break out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/report/report.h"
#include "gate/spec/seed.h"

namespace gate {

struct SampleText {
  std::string kernel = "softmax_tiled";
  std::string sentence = "elements of the last partial tile are wrong";
  std::string worst = "y[0,128]: got 1.5, want 1.25, limit 0.0001";
  std::string error_map = "################....\n#### one block stands for 8 elements\n";
  std::string file = "testcases/softmax/kernels/softmax_tiled.cu";
};

inline Finding sample_finding(const SampleText& text, const std::string& novelty, Kind kind) {
  Finding finding;
  const Result<Case> parsed = parse_case(
      "softmax/f16 value rows=1 cols=129 x=row_pitch+3,normal@1 y=contiguous "
      "key=0x00000000000000ff schedule=ascending");
  check(static_cast<bool>(parsed), "the sample's case is a case");
  finding.op = "softmax";
  finding.kernel = text.kernel;
  finding.column = "f16";
  finding.device = "emu";
  finding.failure.first.test_case = *parsed;
  finding.failure.first.strategy = "boundary";
  finding.failure.first.number = 4;
  finding.failure.shrunk.test_case = *parsed;
  finding.failure.shrunk.verdict.text = text.sentence;
  finding.failure.shrink_executions = 23;
  finding.failure.confirmed = novelty == "flaky" ? 7 : 10;
  finding.failure.attempts = 10;
  finding.explanation = {"last partial tile",
                         "columns 128.. of 129",
                         "fails exactly when cols % 128 != 0 (41 of 41)",
                         text.sentence,
                         text.worst,
                         text.error_map};
  finding.novelty = novelty;
  finding.source_file = text.file;
  finding.source_line = 17;
  finding.seed.kernel = text.kernel;
  finding.seed.test_case = *parsed;
  finding.seed.kind = kind;
  finding.seed.pattern = "last partial tile";
  finding.seed.fingerprint = fingerprint("softmax", "f16", "value", kind, text.kernel);
  finding.seed.input_digest = std::string(64, 'a');
  finding.seed.output_digest = std::string(64, 'b');
  finding.seed.found_on = "2025-01-31";
  finding.seed.device = "emu";
  finding.seed.note = text.sentence;
  return finding;
}

inline TestRow sample_test(const Finding& finding) {
  TestRow test;
  test.suite = "softmax/" + finding.kernel;
  test.name = "f16/boundary";
  test.file = finding.source_file;
  test.line = finding.source_line;
  test.kind = finding.seed.kind;
  test.skipped = finding.novelty == "known" || finding.novelty == "preexisting";
  test.message = finding.explanation.sentence;
  test.properties["ig.fingerprint"] = finding.seed.fingerprint;
  return test;
}

inline ReportRow sample_row(const std::string& kernel) {
  ReportRow row;
  row.kernel = kernel;
  row.op = "softmax";
  row.column = "f16";
  row.device = "emu";
  row.klass = Class::clean;
  row.cases = 40;
  row.planned = 40;
  row.c = 1;
  TestRow test;
  test.suite = "softmax/" + kernel;
  test.name = "f16/exact";
  test.file = "testcases/softmax/kernels/" + kernel + ".cu";
  row.tests.push_back(test);
  row.not_shown = {"cols above 8192 was not tried (legal up to 65536)"};
  return row;
}

inline void add_finding(ReportRow& row, const Finding& finding) {
  row.klass = Class::illusion;
  row.kind = finding.seed.kind;
  row.findings.push_back(finding);
  row.tests.push_back(sample_test(finding));
}

inline Report sample_base() {
  Report report;
  report.run_seed = "0x00000000000000ab";
  report.profile = "pr";
  report.device = "emu";
  report.device_facts = "{\"emu\":{\"device\":\"emu\",\"compiler\":\"g++ 12.2\"}}";
  report.version = "0.1.0";
  report.started = "2025-01-31T12:00:00Z";
  return report;
}

inline Report green_report() {
  Report report = sample_base();
  report.rows.push_back(sample_row("softmax_online"));
  return report;
}

/// One new, one flaky, one known finding, a seed that passes, a test nobody explained.
inline Report red_report() {
  Report report = green_report();
  ReportRow bad = sample_row("softmax_tiled");
  add_finding(bad, sample_finding({}, "new", Kind::wrong));
  add_finding(bad, sample_finding({}, "flaky", Kind::nondeterministic));
  report.rows.push_back(bad);
  ReportRow known = sample_row("softmax_old");
  SampleText text;
  text.kernel = "softmax_old";
  Finding excused = sample_finding(text, "known", Kind::nonfinite);
  excused.seed.status = Seed::Status::known;
  excused.seed.reason = "waits for a compiler fix";
  excused.seed.owner = "kernels";
  excused.seed.expires = "2026-01-01";
  add_finding(known, excused);
  report.rows.push_back(known);
  TestRow passing;
  passing.suite = "softmax/softmax_online";
  passing.name = "f16/seed/00112233445566778899aabbccddeeff";
  passing.properties = {{"ig.status", "open"}, {"ig.seed_file", "softmax_online-0011.toml"}};
  report.rows[0].tests.push_back(passing);
  TestRow grey = sample_row("softmax_online").tests[0];
  grey.name = "f16/huge";
  grey.kind = Kind::not_checked;
  grey.message = "the element cap of this device is below the smallest case";
  report.rows[0].tests.push_back(grey);
  report.policy_notes = {"new contract: testcases/softmax/kernels/softmax_tiled.toml"};
  report.not_selected = {{"softmax/softmax_triton", "a .py kernel needs Python"}};
  return report;
}

/// Texts that try to leave the place they are put in.
inline std::string hostile_text() {
  return "<!-- illusion-gate:v1:default --> --> @octocat #1 GH-2 a/b#3 ![x](https://evil.test/i) "
         "[y](javascript:alert) <img src=x onerror=y> <details><script>z</script> | cell | "
         "`code` ``two`` **bold** _it_ ~~s~~ www.evil.test https://evil.test $$\\x$$ :tada: "
         "\x1b[31mred\x1b[0m \u202Egnp.exe\u202C\r\n::error file=a::boom\n::add-mask::x\n"
         "````\n```\n</details>\n# heading\n- [ ] task\n\n\x07\xff\xfe end";
}

inline Report hostile_report() {
  Report report = sample_base();
  const std::string text = hostile_text();
  SampleText foreign;
  foreign.sentence = text;
  foreign.worst = text;
  foreign.error_map = text;
  foreign.file = "../../etc/passwd) <b>x</b> @octocat";
  ReportRow row = sample_row("softmax_tiled");
  Finding finding = sample_finding(foreign, "new", Kind::wrong);
  finding.explanation.pattern = text;
  finding.explanation.pattern_detail = text;
  finding.explanation.core = text;
  finding.failure.first.strategy = text;
  finding.source_line = -5;
  add_finding(row, finding);
  row.not_shown.push_back(text);
  row.tests.back().properties.clear();
  row.tests.back().name = text;
  report.rows.push_back(row);
  report.device = text;
  report.device_facts = "{\"" + std::string("cuda") + "\":{\"name\":\"@octocat <b>\"}}";
  report.profile = text;
  report.run_seed = text;
  report.revision = text;
  report.version = text;
  report.policy_notes = {text};
  report.not_selected = {{text, text}};
  report.left_out = {text};
  report.environment_problem = text;
  return report;
}

}  // namespace gate
