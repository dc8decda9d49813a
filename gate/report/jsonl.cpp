// Events of a run: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/jsonl.h"

#include <string_view>

#include "gate/report/counts.h"
#include "gate/report/json_parts.h"
#include "gate/report/score.h"
#include "gate/report/summary.h"

namespace gate {
namespace {

constexpr int events_version = 1;

OrderedJson event(std::string_view name) { return {{"event", name}, {"version", events_version}}; }

void add_row_name(OrderedJson& object, const ReportRow& row) {
  object["kernel"] = json_text(row.kernel);
  object["op"] = json_text(row.op);
  object["column"] = json_text(row.column);
  object["device"] = json_text(row.device);
}

std::string line(const OrderedJson& object) {
  return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string_view state_name(const TestRow& test) {
  switch (state_of(test)) {
    case TestState::passed:
      return "passed";
    case TestState::failed:
      return "failed";
    case TestState::unchecked:
      return "unchecked";
    case TestState::skipped:
      return "skipped";
  }
  return "unchecked";
}

}  // namespace

std::string start_events(const Report& head, std::size_t tests) {
  OrderedJson start = event("run_started");
  start["program"] = json_text(head.version);
  start["started"] = json_text(head.started);
  start["run_seed"] = json_text(head.run_seed);
  start["revision"] = text_or_null_json(head.revision);
  start["profile"] = json_text(head.profile);
  start["device"] = json_text(head.device);
  start["shard"] = text_or_null_json(head.shard);
  start["tests"] = tests;
  std::string text = line(start);
  for (const auto& [kernel, reason] : head.not_selected) {
    OrderedJson left = event("not_selected");
    left["kernel"] = json_text(kernel);
    left["reason"] = json_text(reason);
    text += line(left);
  }
  return text;
}

std::string row_events(const ReportRow& row) {
  OrderedJson object = event("row");
  add_row_name(object, row);
  object["class"] = name(row.klass);
  object["kind"] = name(row.kind);
  object["expected"] = text_or_null_json(row.expected);
  object["as_expected"] = row.as_expected;
  object["cases"] = row.cases;
  object["planned"] = row.planned;
  object["cases_to_first_finding"] =
      row.cases_to_first_finding > 0 ? OrderedJson(row.cases_to_first_finding) : OrderedJson();
  object["findings"] = row.findings.size();
  object["seconds"] = row.seconds;
  std::string text = line(object);
  for (const Finding& finding : row.findings) {
    OrderedJson found = event("finding");
    add_row_name(found, row);
    found["finding"] = finding_json(finding);
    text += line(found);
  }
  return text;
}

std::string test_event(const ReportRow& row, const TestRow& test) {
  OrderedJson object = event("test");
  add_row_name(object, row);
  object["suite"] = json_text(test.suite);
  object["name"] = json_text(test.name);
  object["state"] = state_name(test);
  object["kind"] = name(test.kind);
  object["message"] = json_text(test.message);
  object["file"] = json_text(test.file);
  object["line"] = test.line;
  object["seconds"] = test.seconds;
  return line(object);
}

std::string end_events(const Report& report) {
  std::string text;
  for (const Score& score : scores_of(report)) {
    OrderedJson object = event("score");
    object["score"] = score_json(score);
    text += line(object);
  }
  OrderedJson end = event("run_ended");
  end["verdict"] = verdict_word(report);
  end["exit_code"] = exit_code(report);
  end["environment_problem"] = text_or_null_json(report.environment_problem);
  end["counts"] = counts_json(report);
  end["seconds"] = report.seconds;
  return text + line(end);
}

}  // namespace gate
