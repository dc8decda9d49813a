// Parts of the Markdown report. Each ends with an empty line, or is empty.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/report/markdown.h"
#include "gate/report/summary.h"

namespace gate {

/// What a size budget leaves of the report.
struct MarkdownCuts {
  bool drafts = true;  // how to keep a finding as a regression test
  bool known = true;   // the list; its count always stays
  std::size_t seeds_max = SIZE_MAX;
  std::size_t rows_max = 20;  // of the table
  std::size_t details_max = SIZE_MAX;
  std::size_t lines_max = 40;  // of each folded list
};

std::string markdown_heading(const Report& report);
std::string markdown_facts_line(const Report& report, const MarkdownFacts& facts);
std::string markdown_devices(const Report& report);
std::string markdown_table(const std::vector<StandingFinding>& findings, const MarkdownCuts& cuts);
/// One <details> per finding that asks for an answer.
std::string markdown_details(const std::vector<StandingFinding>& findings,
                             const MarkdownFacts& facts, const MarkdownCuts& cuts);
/// Known and preexisting, fixed, unexplained tests, policy, not shown: folded.
std::string markdown_folded(const Report& report, const std::vector<StandingFinding>& findings,
                            const MarkdownCuts& cuts);
std::string markdown_footer(const Report& report, const MarkdownFacts& facts);

}  // namespace gate
