// What a person reads first, shared by comment, step summary, check run and commit status: the
// verdict word, findings counted by novelty, and which findings ask for an answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/report/report.h"

namespace gate {

/// pass, fail, error or inconclusive: the exit code in a word.
std::string verdict_word(const Report& report);

/// How a finding stands towards the base revision. `expected`: its kernel's [expect] says so.
enum class Standing { fresh, regressed, flaky, known, preexisting, fixed, expected };
std::string_view name(Standing standing);  // new regressed flaky known preexisting fixed expected
bool asks_for_answer(Standing standing);   // new, regressed, flaky

struct StandingFinding {
  const ReportRow* row = nullptr;
  const Finding* finding = nullptr;
  Standing standing = Standing::fresh;
};
/// Every finding of the report, those that ask for an answer first, else in report order.
std::vector<StandingFinding> standing_findings(const Report& report);

/// A committed seed that passes although its status is not `fixed`.
struct PassingSeed {
  std::string suite, test, file;
};
std::vector<PassingSeed> passing_seeds(const Report& report);

struct StandingCounts {
  std::size_t fresh = 0, regressed = 0, flaky = 0, known = 0, preexisting = 0, fixed = 0,
              expected = 0;
  bool operator==(const StandingCounts&) const = default;
};
StandingCounts count_standings(const Report& report);
/// "2 new, 1 flaky": those that are not 0, new always.
std::string to_text(const StandingCounts& counts);

/// "softmax/pad_lanes f16: wrong": plain text, for titles.
std::string finding_title(const StandingFinding& finding);
/// One line, plain text: "fail: 2 new, 1 flaky in 12 kernels, 340 of 340 cases".
std::string summary_line(const Report& report);
/// Red and grey tests that no finding explains, one line each, red first: "suite.test: why".
std::vector<std::string> unexplained_tests(const Report& report);

/// What this run did not show, one line each; a sentence of several rows once, with their number.
std::vector<std::string> not_shown_lines(const Report& report);

/// Cases the report's rows planned and checked.
struct CaseCounts {
  std::int64_t checked = 0, planned = 0;
};
CaseCounts count_cases(const Report& report);

}  // namespace gate
