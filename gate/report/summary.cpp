// Verdict word, standings and one-line texts: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/report/counts.h"

namespace gate {
namespace {

constexpr std::size_t part_bytes_max = 200;

Standing standing_of(const ReportRow& row, const Finding& finding) {
  if (!row.expected.empty() && row.as_expected && row.klass != Class::clean) {
    return Standing::expected;
  }
  constexpr std::array all = {Standing::fresh, Standing::regressed,   Standing::flaky,
                              Standing::known, Standing::preexisting, Standing::fixed};
  for (const Standing standing : all) {
    if (name(standing) == finding.novelty) return standing;
  }
  return Standing::fresh;  // an unknown word excuses nothing
}

std::size_t& counter(StandingCounts& counts, Standing standing) {
  switch (standing) {
    case Standing::fresh:
      return counts.fresh;
    case Standing::regressed:
      return counts.regressed;
    case Standing::flaky:
      return counts.flaky;
    case Standing::known:
      return counts.known;
    case Standing::preexisting:
      return counts.preexisting;
    case Standing::fixed:
      return counts.fixed;
    case Standing::expected:
      return counts.expected;
  }
  return counts.fresh;
}

std::string property(const TestRow& test, const std::string& key) {
  const auto at = test.properties.find(key);
  return at == test.properties.end() ? std::string() : at->second;
}

std::string part(const std::string& text) { return clean_text(text, part_bytes_max); }

}  // namespace

std::string verdict_word(const Report& report) {
  switch (exit_code(report)) {
    case 0:
      return "pass";
    case 1:
      return "fail";
    case 3:
      return "error";
    default:
      return "inconclusive";
  }
}

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::fresh:
      return "new";
    case Standing::regressed:
      return "regressed";
    case Standing::flaky:
      return "flaky";
    case Standing::known:
      return "known";
    case Standing::preexisting:
      return "preexisting";
    case Standing::fixed:
      return "fixed";
    case Standing::expected:
      return "expected";
  }
  return "new";
}

bool asks_for_answer(Standing standing) {
  return standing == Standing::fresh || standing == Standing::regressed ||
         standing == Standing::flaky;
}

std::vector<StandingFinding> standing_findings(const Report& report) {
  std::vector<StandingFinding> findings;
  for (const ReportRow& row : report.rows) {
    for (const Finding& finding : row.findings) {
      findings.push_back({&row, &finding, standing_of(row, finding)});
    }
  }
  std::stable_partition(findings.begin(), findings.end(), [](const StandingFinding& finding) {
    return asks_for_answer(finding.standing);
  });
  return findings;
}

std::vector<PassingSeed> passing_seeds(const Report& report) {
  std::vector<PassingSeed> seeds;
  for (const ReportRow& row : report.rows) {
    for (const TestRow& test : row.tests) {
      const std::string status = property(test, "ig.status");
      if (status.empty() || status == "fixed" || state_of(test) != TestState::passed) continue;
      seeds.push_back({part(test.suite), part(test.name), part(property(test, "ig.seed_file"))});
    }
  }
  return seeds;
}

StandingCounts count_standings(const Report& report) {
  StandingCounts counts;
  for (const StandingFinding& finding : standing_findings(report)) {
    ++counter(counts, finding.standing);
  }
  counts.fixed += passing_seeds(report).size();
  return counts;
}

std::string to_text(const StandingCounts& counts) {
  std::string text = fmt::format("{} new", counts.fresh);
  constexpr std::array others = {Standing::regressed,   Standing::flaky, Standing::known,
                                 Standing::preexisting, Standing::fixed, Standing::expected};
  StandingCounts copy = counts;
  for (const Standing standing : others) {
    const std::size_t number = counter(copy, standing);
    if (number > 0) text += fmt::format(", {} {}", number, name(standing));
  }
  return text;
}

std::string finding_title(const StandingFinding& finding) {
  return fmt::format("{}/{} {}: {}", part(finding.row->op), part(finding.row->kernel),
                     part(finding.row->column), name(finding.finding->seed.kind));
}

std::string summary_line(const Report& report) {
  const Counts counts = count(report);
  const CaseCounts cases = count_cases(report);
  return fmt::format("{}: {} in {} kernel{}, {} of {} cases", verdict_word(report),
                     to_text(count_standings(report)), counts.kernels,
                     counts.kernels == 1 ? "" : "s", cases.checked, cases.planned);
}

std::vector<std::string> unexplained_tests(const Report& report) {
  std::vector<std::string> red, grey;
  for (const ReportRow& row : report.rows) {
    std::set<std::string> explained;
    for (const Finding& finding : row.findings) explained.insert(finding.seed.fingerprint);
    for (const TestRow& test : row.tests) {
      const TestState state = state_of(test);
      if (state != TestState::failed && state != TestState::unchecked) continue;
      if (explained.count(property(test, "ig.fingerprint")) > 0) continue;
      (state == TestState::failed ? red : grey)
          .push_back(fmt::format(
              "{}.{}: {}", part(test.suite), part(test.name),
              part(test.message.empty() ? std::string(name(test.kind)) : test.message)));
    }
  }
  red.insert(red.end(), grey.begin(), grey.end());
  return red;
}

std::vector<std::string> not_shown_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const auto& [kernel, reason] : report.not_selected) {
    lines.push_back(fmt::format("not selected: {}: {}", part(kernel), part(reason)));
  }
  for (const std::string& test : report.left_out) {
    lines.push_back("left out, its plan is only partly selected: " + part(test));
  }
  for (const std::string& line : coverage_lines(report)) lines.push_back(line);
  std::map<std::string, std::vector<std::string>> rows_saying;
  std::vector<std::string> order;
  for (const ReportRow& row : report.rows) {
    for (const std::string& sentence : row.not_shown) {
      std::vector<std::string>& rows = rows_saying[sentence];
      if (rows.empty()) order.push_back(sentence);
      rows.push_back(fmt::format("{}/{} {}", part(row.op), part(row.kernel), part(row.column)));
    }
  }
  for (const std::string& sentence : order) {
    const std::vector<std::string>& rows = rows_saying[sentence];
    lines.push_back(rows.size() == 1 ? rows.front() + ": " + part(sentence)
                                     : fmt::format("{} rows: {}", rows.size(), part(sentence)));
  }
  return lines;
}

CaseCounts count_cases(const Report& report) {
  CaseCounts counts;
  for (const ReportRow& row : report.rows) {
    // Foreign reports may hold any number: their sum must not overflow.
    constexpr std::int64_t cases_max = 1'000'000'000'000;
    counts.checked += std::clamp<std::int64_t>(row.cases, 0, cases_max);
    counts.planned += std::clamp<std::int64_t>(row.planned, 0, cases_max);
  }
  return counts;
}

}  // namespace gate
