// Sentences for a row: a finding's test, fixed-shape answers, and what green does not mean here.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/row_texts.h"

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/cli/row.h"
#include "gate/report/token.h"

namespace gate {
namespace {

constexpr std::size_t untried_max = 8;  // named in a sentence; the report has all

void add_line(std::string& body, std::string_view field, const std::string& value) {
  if (!value.empty()) body += fmt::format("{}: {}\n", field, value);
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

std::vector<std::string> not_shown(const TargetResult& result) {
  std::vector<std::string> sentences;
  for (const AxisCoverage& axis : result.coverage.axes) {
    if (axis.sizes == 0) continue;
    if (axis.tried_max < axis.legal_max) {
      sentences.push_back(fmt::format("{} above {} was not tried (legal up to {})", axis.name,
                                      axis.tried_max, axis.legal_max));
    }
    if (axis.tried_min > axis.legal_min) {
      sentences.push_back(fmt::format("{} below {} was not tried (legal from {})", axis.name,
                                      axis.tried_min, axis.legal_min));
    }
  }
  if (result.checked > 0 && result.findings.empty()) {
    sentences.push_back(fmt::format(
        "{} cases without a failure leave a failure rate of up to {:.2f} % open (95 %), among "
        "cases drawn like these",
        result.checked, 100 * failure_rate_bound(0, result.checked)));
  }
  if (result.checked > 0 && !result.coverage.untried.empty()) {
    std::vector<std::string> untried = result.coverage.untried;
    if (untried.size() > untried_max) {
      untried.resize(untried_max);
      untried.push_back(fmt::format("and {} more", result.coverage.untried.size() - untried_max));
    }
    sentences.push_back("not tried: " + join(untried, ", "));
  }
  const std::vector<std::string> survivors = surviving_null_kernels(result.coverage);
  if (!survivors.empty()) {
    sentences.push_back("outputs that compute nothing passed every case they were tried on: " +
                        join(survivors, ", "));
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
