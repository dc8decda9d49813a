// Report -> JSON: keys in a fixed order, and everything that differs between two equal runs (times)
// kept apart under "times", so that the rest can be compared byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/report.h"
#include "gate/report/token.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_bytes_max = 64 * 1024;

std::string clean(const std::string& text) { return clean_text(text, text_bytes_max); }

/// JSON has no infinities: those become their names.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(number_text(value)); }

Json texts(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back(clean(value));
  return list;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(clean(text)); }

Json finding_json(const Finding& finding) {
  const RawFailure& failure = finding.failure;
  const Explanation& explanation = finding.explanation;
  Json object = {
      {"fingerprint", finding.seed.fingerprint},
      {"number", finding.seed.number},
      {"kind", name(finding.seed.kind)},
      {"property", finding.seed.property},
      {"novelty", finding.novelty},
      {"strategy", failure.first.strategy},
      {"entry", failure.first.number + 1},
      {"found_case", to_text(failure.first.test_case)},
      {"case", to_text(failure.shrunk.test_case)},
      {"text", clean(failure.shrunk.verdict.text)},
      {"pattern", clean(explanation.pattern)},
      {"pattern_detail", clean(explanation.pattern_detail)},
      {"core", clean(explanation.core)},
      {"sentence", clean(explanation.sentence)},
      {"worst", clean(explanation.worst)},
      {"error_map", clean(explanation.error_map)},
      {"shrink_executions", failure.shrink_executions},
      {"confirmed", failure.confirmed},
      {"attempts", failure.attempts},
      {"source_file", clean(finding.source_file)},
      {"source_line", finding.source_line},
      {"seed", to_toml(finding.seed)},
      {"token", to_token(finding.seed)},
  };
  if (!finding.sanitizer.empty()) object["sanitizer"] = clean(finding.sanitizer);
  return object;
}

Json fixed_shape_json(const ReportRow& row) {
  Json rules = Json::array();
  for (const FixedShapeResult& result : row.fixed_shape) {
    rules.push_back({{"rule", result.rule},
                     {"values", result.values},
                     {"passed", result.passed},
                     {"draws", result.draws},
                     {"text", clean(result.text)}});
  }
  return {{"illusion_rule_passed", row.illusion_rule_passed}, {"rules", std::move(rules)}};
}

Json test_json(const TestRow& test) {
  Json properties = Json::object();
  for (const auto& [key, value] : test.properties) properties[clean(key)] = clean(value);
  return {{"suite", clean(test.suite)},
          {"name", clean(test.name)},
          {"file", clean(test.file)},
          {"line", test.line},
          {"kind", name(test.kind)},
          {"skipped", test.skipped},
          {"message", clean(test.message)},
          {"body", clean(test.body)},
          {"properties", std::move(properties)}};
}

Json row_json(const ReportRow& row) {
  Json findings = Json::array();
  for (const Finding& finding : row.findings) findings.push_back(finding_json(finding));
  Json tests = Json::array();
  for (const TestRow& test : row.tests) tests.push_back(test_json(test));
  Json strategies = Json::object();
  for (const auto& [strategy, checked] : row.strategies) strategies[strategy] = checked;
  Json object = {
      {"kernel", row.kernel},
      {"op", row.op},
      {"column", row.column},
      {"device", row.device},
      {"class", name(row.klass)},
      {"kind", name(row.kind)},
      {"expected", text_or_null(row.expected)},
      {"as_expected", row.as_expected},
      {"cases", row.cases},
      {"planned", row.planned},
      {"cases_to_first_finding",
       row.cases_to_first_finding > 0 ? Json(row.cases_to_first_finding) : Json()},
      {"fixed_shape", fixed_shape_json(row)},
      {"findings", std::move(findings)},
      {"strategies", std::move(strategies)},
      {"non_discriminating", row.non_discriminating},
      {"unjudgeable", row.unjudgeable},
      {"largest_ratio", number(row.largest_ratio)},
      {"c", number(row.c)},
      {"corpus", clean(row.corpus)},
      {"author", clean(row.author)},
      {"not_shown", texts(row.not_shown)},
      {"tests", std::move(tests)},
  };
  if (!row.gpu_class.empty()) object["gpu_class"] = clean(row.gpu_class);
  return object;
}

Json counts_json(const Report& report) {
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

Json run_json(const Report& report) {
  Json object = {{"program", clean(report.version)},
                 {"run_seed", clean(report.run_seed)},
                 {"revision", text_or_null(report.revision)},
                 {"profile", clean(report.profile)},
                 {"device", clean(report.device)},
                 {"device_facts", clean(report.device_facts)},
                 {"shard", text_or_null(report.shard)},
                 {"ignore_expect", report.ignore_expect},
                 {"require_all", report.require_all},
                 {"environment_problem", text_or_null(report.environment_problem)},
                 {"loosened", report.loosened},
                 {"policy_notes", texts(report.policy_notes)},
                 {"left_out", texts(report.left_out)},
                 {"exit_code", exit_code(report)},
                 {"counts", counts_json(report)}};
  if (!report.gpu_class.empty()) object["gpu_class"] = clean(report.gpu_class);
  if (!report.gpu_classes_not_run.empty()) {
    object["gpu_classes_not_run"] = texts(report.gpu_classes_not_run);
  }
  return object;
}

/// Rows and their tests in the order of "rows".
Json times_json(const Report& report) {
  Json rows = Json::array();
  for (const ReportRow& row : report.rows) {
    Json tests = Json::array();
    for (const TestRow& test : row.tests) tests.push_back(test.seconds);
    rows.push_back({{"seconds", row.seconds}, {"tests", std::move(tests)}});
  }
  return {{"started", report.started}, {"seconds", report.seconds}, {"rows", std::move(rows)}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json not_selected = Json::array();
  for (const auto& [kernel, reason] : report.not_selected) {
    not_selected.push_back({{"kernel", clean(kernel)}, {"reason", clean(reason)}});
  }
  Json rows = Json::array();
  for (const ReportRow& row : report.rows) rows.push_back(row_json(row));
  const Json whole = {{"version", 1},
                      {"run", run_json(report)},
                      {"not_selected", std::move(not_selected)},
                      {"rows", std::move(rows)},
                      {"times", times_json(report)}};
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate
