// Comment and step summary from their parts, within their budgets.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/markdown.h"

#include <array>

#include "gate/base/check.h"
#include "gate/report/gpu_classes.h"
#include "gate/report/markdown_sections.h"
#include "gate/report/markdown_text.h"

namespace gate {
namespace {

std::string body_of(const Report& report, const MarkdownFacts& facts, const MarkdownCuts& cuts) {
  const std::vector<StandingFinding> findings = standing_findings(report);
  return markdown_heading(report) + markdown_facts_line(report, facts) + markdown_devices(report) +
         gpu_class_markdown(report, cuts.rows_max) + markdown_table(findings, cuts) +
         markdown_details(findings, facts, cuts) + markdown_folded(report, findings, cuts) +
         markdown_footer(report, facts);
}

/// The first that fits; after the last one lines are cut.
template <std::size_t N>
std::string fitting(const Report& report, const MarkdownFacts& facts,
                    const std::array<MarkdownCuts, N>& ladder, std::size_t bytes_max) {
  std::string body;
  for (const MarkdownCuts& cuts : ladder) {
    body = body_of(report, facts, cuts);
    if (body.size() <= bytes_max) return body;
  }
  return cut_markdown(body, bytes_max);
}

}  // namespace

std::string comment_marker(const std::string& comment_id) {
  check(comment_id.find("--") == std::string::npos && comment_id.find('>') == std::string::npos,
        "a comment id cannot end the comment that holds it");
  return "<!-- illusion-gate:v1:" + comment_id + " -->";
}

std::string to_comment(const Report& report, const MarkdownFacts& facts) {
  // What goes first is what costs most and can be had elsewhere.
  constexpr std::array<MarkdownCuts, 8> ladder = {{
      {},
      {.drafts = false},
      {.drafts = false, .known = false},
      {.drafts = false, .known = false, .seeds_max = 5},
      {.drafts = false, .known = false, .seeds_max = 5, .details_max = 20, .lines_max = 20},
      {.drafts = false,
       .known = false,
       .seeds_max = 3,
       .rows_max = 10,
       .details_max = 10,
       .lines_max = 10},
      {.drafts = false,
       .known = false,
       .seeds_max = 1,
       .rows_max = 5,
       .details_max = 5,
       .lines_max = 5},
      {.drafts = false,
       .known = false,
       .seeds_max = 0,
       .rows_max = 5,
       .details_max = 1,
       .lines_max = 0},
  }};
  const std::string marker = comment_marker(facts.comment_id) + "\n";
  return marker + fitting(report, facts, ladder, comment_bytes_max - marker.size());
}

std::string to_step_summary(const Report& report, const MarkdownFacts& facts,
                            std::size_t bytes_max) {
  constexpr std::array<MarkdownCuts, 4> ladder = {{
      {.rows_max = 2000, .lines_max = 2000},
      {.drafts = false, .seeds_max = 100, .rows_max = 1000, .lines_max = 500},
      {.drafts = false,
       .known = false,
       .seeds_max = 20,
       .rows_max = 500,
       .details_max = 100,
       .lines_max = 100},
      {.drafts = false,
       .known = false,
       .seeds_max = 0,
       .rows_max = 20,
       .details_max = 0,
       .lines_max = 0},
  }};
  return fitting(report, facts, ladder, bytes_max);
}

}  // namespace gate
