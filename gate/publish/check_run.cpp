// Check run with an annotation at the line of every kernel that fails.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/check_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/publish/json_path.h"
#include "gate/publish/modes.h"
#include "gate/report/counts.h"
#include "gate/report/sarif.h"
#include "gate/report/summary.h"
#include "gate/report/token.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr const char* permission = "checks: write";
constexpr std::size_t output_bytes_max = 60'000;  // GitHub: 65,535 characters
constexpr std::size_t message_bytes_max = 8'000;  // GitHub: 64 KB
constexpr std::size_t title_bytes_max = 200;      // GitHub: 255 characters
constexpr int line_max = 1'000'000;

OrderedJson annotation(const std::string& file, int line, const std::string& level) {
  const int place = std::clamp(line, 1, line_max);
  return {{"path", repository_path(file)},
          {"start_line", place},
          {"end_line", place},
          {"annotation_level", level}};
}

OrderedJson finding_annotation(const StandingFinding& each) {
  const Finding& finding = *each.finding;
  OrderedJson value = annotation(finding.source_file, finding.source_line,
                                 asks_for_answer(each.standing) ? "failure" : "notice");
  std::string message = finding.explanation.sentence.empty() ? finding.failure.shrunk.verdict.text
                                                             : finding.explanation.sentence;
  message += "\ncase: " + to_text(finding.failure.shrunk.test_case);
  if (!finding.explanation.worst.empty()) message += "\nworst: " + finding.explanation.worst;
  message += fmt::format("\nfails in {} of {} fresh workers", finding.failure.confirmed,
                         finding.failure.attempts);
  Seed seed = finding.seed;
  seed.embedded.clear();  // a token without them replays as well, and fits
  message += "\nreplay: gate replay " + to_token(seed);
  value["message"] = clean_text(message, message_bytes_max);
  value["title"] =
      clean_text(fmt::format("{} {}", name(each.standing), finding_title(each)), title_bytes_max);
  value["raw_details"] = clean_text(to_toml(seed), message_bytes_max);
  return value;
}

std::vector<OrderedJson> annotations_of(const Report& report) {
  std::vector<OrderedJson> annotations;
  for (const StandingFinding& each : standing_findings(report)) {
    if (each.standing == Standing::expected || each.standing == Standing::fixed) continue;
    annotations.push_back(finding_annotation(each));
  }
  for (const ReportRow& row : report.rows) {
    for (const TestRow& test : row.tests) {
      const TestState state = state_of(test);
      if (test.properties.count("ig.fingerprint") > 0) continue;  // its finding has one
      if (state != TestState::failed && state != TestState::unchecked) continue;
      OrderedJson value =
          annotation(test.file, test.line, state == TestState::failed ? "failure" : "warning");
      value["message"] = clean_text(
          test.message.empty() ? std::string(name(test.kind)) : test.message, message_bytes_max);
      value["title"] = clean_text(test.suite + "." + test.name, title_bytes_max);
      annotations.push_back(std::move(value));
    }
  }
  if (annotations.size() > annotations_max) annotations.resize(annotations_max);
  return annotations;
}

/// Neutral and skipped satisfy a required check, so nothing but a pass is anything but a failure.
std::string conclusion_of(const Report& report) {
  return exit_code(report) == 0 ? "success" : "failure";
}

OrderedJson output_of(const Report& report, const CheckRunFacts& facts) {
  return {{"title", clean_text(summary_line(report), title_bytes_max)},
          {"summary", to_step_summary(report, facts.markdown, output_bytes_max)}};
}

/// The run we made if its creation went unanswered.
std::optional<OrderedJson> find_made(const Publication& publication, const std::string& id) {
  const Reply reply =
      publication.client.get(route(publication, fmt::format("/commits/{}/check-runs?per_page=100",
                                                            publication.target.head_sha)));
  if (!reply.ok()) return std::nullopt;
  for (const OrderedJson& run : value_at(reply.json, "/check_runs")) {
    if (!id.empty() && text_at(run, "/external_id") == id) return run;
  }
  return std::nullopt;
}

}  // namespace

std::vector<OrderedJson> check_run_payloads(const Report& report, const CheckRunFacts& facts) {
  const std::vector<OrderedJson> annotations = annotations_of(report);
  std::vector<OrderedJson> payloads;
  std::size_t at = 0;
  do {
    OrderedJson payload = OrderedJson::object();
    if (payloads.empty()) {
      payload = {{"name", facts.name},
                 {"head_sha", facts.head_sha},
                 {"external_id", facts.external_id},
                 {"status", "completed"},
                 {"conclusion", conclusion_of(report)}};
      if (!facts.markdown.run_url.empty()) payload["details_url"] = facts.markdown.run_url;
    }
    payload["output"] = output_of(report, facts);
    const std::size_t end = std::min(at + annotations_per_request, annotations.size());
    payload["output"]["annotations"] =
        std::vector<OrderedJson>(annotations.begin() + static_cast<std::ptrdiff_t>(at),
                                 annotations.begin() + static_cast<std::ptrdiff_t>(end));
    payloads.push_back(std::move(payload));
    at = end;
  } while (at < annotations.size());
  return payloads;
}

Result<Published> publish_check_run(const Publication& publication) {
  const CheckRunFacts facts{publication.options.check_name, publication.target.head_sha,
                            fmt::format("illusion-gate:{}:{}:{}", publication.facts.comment_id,
                                        publication.target.run_id, publication.target.attempt),
                            publication.facts};
  if (facts.head_sha.empty()) return user_failure("no commit is known for the check run");
  const std::vector<OrderedJson> payloads = check_run_payloads(publication.report, facts);
  WriteRequest request;
  request.path = route(publication, "/check-runs");
  request.body = payloads.front();
  request.find_done = [&] { return find_made(publication, facts.external_id); };
  const Reply created = publication.client.write(request);
  if (!created.ok()) return failure_of(created, "create the check run", permission);
  const std::int64_t id = integer_at(created.json, "/id");
  for (std::size_t i = 1; i < payloads.size(); ++i) {
    WriteRequest more;
    more.method = "PATCH";
    more.path = route(publication, fmt::format("/check-runs/{}", id));
    more.body = payloads[i];
    const Reply reply = publication.client.write(more);
    if (!reply.ok()) return failure_of(reply, "add annotations to the check run", permission);
  }
  return Published{fmt::format("check run {}: {} requests", id, payloads.size())};
}

}  // namespace gate
