// Sentences for a row: a finding's test, fixed-shape answers, and what green does not mean here.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/row_texts.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/cli/row.h"
#include "gate/report/token.h"

namespace gate {
namespace {

void add_line(std::string& body, std::string_view field, const std::string& value) {
  if (!value.empty()) body += fmt::format("{}: {}\n", field, value);
}

/// Largest failure rate that a sample of `cases` without a failure leaves open, at 95 %.
double failure_rate_bound(std::int64_t cases) {
  return 1 - std::pow(0.05, 1.0 / static_cast<double>(cases));
}

}  // namespace

std::string with_kind(Kind kind, const std::string& text) {
  return text.starts_with(name(kind)) ? text : fmt::format("{}: {}", name(kind), text);
}

void describe_finding(const Finding& finding, TestRow& row) {
  const Explanation& explanation = finding.explanation;
  const RawFailure& failure = finding.failure;
  const std::string& what =
      explanation.sentence.empty() ? failure.shrunk.verdict.text : explanation.sentence;
  row.kind = finding.seed.kind;
  row.message = with_kind(finding.seed.kind, what);
  row.body.clear();
  add_line(row.body, "what", what);
  add_line(row.body, "worst", explanation.worst);
  add_line(row.body, "pattern", explanation.pattern);
  add_line(row.body, "when", explanation.core);
  add_line(row.body, "case", to_text(failure.shrunk.test_case));
  add_line(row.body, "confirmed",
           fmt::format("{} of {} fresh workers", failure.confirmed, failure.attempts));
  add_line(row.body, "text", failure.shrunk.verdict.text);
  if (!explanation.error_map.empty()) row.body += explanation.error_map + "\n";
  const std::string token = to_token(finding.seed);
  add_line(row.body, "replay", "gate replay " + token);
  row.properties["ig.fingerprint"] = finding.seed.fingerprint;
  row.properties["ig.novelty"] = finding.novelty;
  row.properties["ig.seed_token"] = token;
  row.properties["ig.case"] = to_text(failure.shrunk.test_case);
  if (!finding.seed.file.empty()) {
    row.properties["ig.seed_file"] = finding.seed.file.filename().string();
  }
}

std::string fixed_shape_text(const FixedShapeResult& rule) {
  if (rule.passed) return fmt::format("passed {} draws", rule.draws);
  return rule.text.empty() ? "failed" : "failed: " + rule.text;
}

std::vector<std::string> not_shown(const SelectedTarget& selected, const TargetResult& result) {
  std::vector<std::string> sentences;
  const Target& target = selected.plan.target;
  for (const Axis& axis : target.op->axes) {
    const auto largest = result.axis_max.find(axis.name);
    const std::int64_t legal = axis.values.empty() ? axis.max : axis.values.back();
    if (largest == result.axis_max.end() || largest->second >= legal) continue;
    sentences.push_back(fmt::format("{} above {} was not tried (legal up to {})", axis.name,
                                    largest->second, legal));
  }
  if (result.checked > 0 && result.findings.empty()) {
    sentences.push_back(fmt::format(
        "{} cases without a failure leave a failure rate of up to {:.2f} % open (95 %), among "
        "cases drawn like these",
        result.checked, 100 * failure_rate_bound(result.checked)));
  }
  if (result.non_discriminating > 0) {
    sentences.push_back(
        fmt::format("{} cases could not tell the output from zeros", result.non_discriminating));
  }
  if (result.unjudgeable > 0) {
    sentences.push_back(
        fmt::format("{} cases had elements that no limit can judge", result.unjudgeable));
  }
  if (result.groups_not_shrunk > 0) {
    sentences.push_back(fmt::format("{} further different failures were seen and not shrunk",
                                    result.groups_not_shrunk));
  }
  return sentences;
}

}  // namespace gate
