// Parts of the JSON report that events carry too.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/json_parts.h"

#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/token.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr std::size_t text_bytes_max = 64 * 1024;

}  // namespace

std::string json_text(const std::string& text) { return clean_text(text, text_bytes_max); }

OrderedJson text_or_null_json(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(json_text(text));
}

OrderedJson finding_json(const Finding& finding) {
  const RawFailure& failure = finding.failure;
  const Explanation& explanation = finding.explanation;
  OrderedJson object = {
      {"fingerprint", finding.seed.fingerprint},
      {"number", finding.seed.number},
      {"kind", name(finding.seed.kind)},
      {"property", finding.seed.property},
      {"novelty", finding.novelty},
      {"strategy", failure.first.strategy},
      {"entry", failure.first.number + 1},
      {"found_case", to_text(failure.first.test_case)},
      {"case", to_text(failure.shrunk.test_case)},
      {"text", json_text(failure.shrunk.verdict.text)},
      {"pattern", json_text(explanation.pattern)},
      {"pattern_detail", json_text(explanation.pattern_detail)},
      {"core", json_text(explanation.core)},
      {"sentence", json_text(explanation.sentence)},
      {"worst", json_text(explanation.worst)},
      {"error_map", json_text(explanation.error_map)},
      {"shrink_executions", failure.shrink_executions},
      {"confirmed", failure.confirmed},
      {"attempts", failure.attempts},
      {"source_file", json_text(finding.source_file)},
      {"source_line", finding.source_line},
      {"seed", to_toml(finding.seed)},
      {"token", to_token(finding.seed)},
  };
  if (!finding.sanitizer.empty()) object["sanitizer"] = json_text(finding.sanitizer);
  return object;
}

OrderedJson counts_json(const Report& report) {
  const Counts counts = count(report);
  return {{"kernels", counts.kernels},
          {"kernels_expecting", counts.kernels_expecting},
          {"kernels_as_expected", counts.kernels_as_expected},
          {"rows", counts.rows},
          {"rows_clean", counts.rows_clean},
          {"rows_illusion", counts.rows_illusion},
          {"rows_defect", counts.rows_defect},
          {"rows_unchecked", counts.rows_unchecked},
          {"tests", counts.tests},
          {"tests_passed", counts.tests_passed},
          {"tests_failed", counts.tests_failed},
          {"tests_unchecked", counts.tests_unchecked},
          {"tests_skipped", counts.tests_skipped},
          {"findings", counts.findings}};
}

}  // namespace gate
