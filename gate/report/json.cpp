// Report -> JSON: keys in a fixed order, and everything that differs between two equal runs (times)
// kept apart under "times", so that the rest can be compared byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/coverage_json.h"
#include "gate/report/json_parts.h"
#include "gate/report/report.h"
#include "gate/report/score.h"

namespace gate {
namespace {

using Json = OrderedJson;

/// JSON has no infinities: those become their names.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(number_text(value)); }

Json texts(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back(json_text(value));
  return list;
}

Json fixed_shape_json(const ReportRow& row) {
  Json rules = Json::array();
  for (const FixedShapeResult& result : row.fixed_shape) {
    rules.push_back({{"rule", result.rule},
                     {"values", result.values},
                     {"passed", result.passed},
                     {"draws", result.draws},
                     {"text", json_text(result.text)}});
  }
  return {{"illusion_rule_passed", row.illusion_rule_passed}, {"rules", std::move(rules)}};
}

Json test_json(const TestRow& test) {
  Json properties = Json::object();
  for (const auto& [key, value] : test.properties) properties[json_text(key)] = json_text(value);
  return {{"suite", json_text(test.suite)},
          {"name", json_text(test.name)},
          {"file", json_text(test.file)},
          {"line", test.line},
          {"kind", name(test.kind)},
          {"skipped", test.skipped},
          {"message", json_text(test.message)},
          {"body", json_text(test.body)},
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
      {"expected", text_or_null_json(row.expected)},
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
      {"tolerance", json_text(row.tolerance)},
      {"corpus", json_text(row.corpus)},
      {"author", json_text(row.author)},
      {"not_shown", texts(row.not_shown)},
      {"coverage", coverage_json(row)},
      {"tests", std::move(tests)},
  };
  if (!row.gpu_class.empty()) object["gpu_class"] = json_text(row.gpu_class);
  return object;
}

Json run_json(const Report& report) {
  Json object = {{"program", json_text(report.version)},
                 {"run_seed", json_text(report.run_seed)},
                 {"revision", text_or_null_json(report.revision)},
                 {"profile", json_text(report.profile)},
                 {"device", json_text(report.device)},
                 {"device_facts", json_text(report.device_facts)},
                 {"shard", text_or_null_json(report.shard)},
                 {"ignore_expect", report.ignore_expect},
                 {"require_all", report.require_all},
                 {"environment_problem", text_or_null_json(report.environment_problem)},
                 {"loosened", report.loosened},
                 {"policy_notes", texts(report.policy_notes)},
                 {"left_out", texts(report.left_out)},
                 {"exit_code", exit_code(report)},
                 {"counts", counts_json(report)}};
  if (!report.gpu_class.empty()) object["gpu_class"] = json_text(report.gpu_class);
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
    not_selected.push_back({{"kernel", json_text(kernel)}, {"reason", json_text(reason)}});
  }
  Json rows = Json::array();
  for (const ReportRow& row : report.rows) rows.push_back(row_json(row));
  const Json whole = {{"version", 1},
                      {"run", run_json(report)},
                      {"not_selected", std::move(not_selected)},
                      {"rows", std::move(rows)},
                      {"scores", scores_json(report)},
                      {"times", times_json(report)}};
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate
