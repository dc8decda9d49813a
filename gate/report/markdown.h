// Report -> Markdown: the pull request comment (60,000 bytes, the most important kept) and the step
// summary. Pure functions; what only the publisher knows comes in as facts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "gate/report/report.h"

namespace gate {

inline constexpr std::size_t comment_bytes_max = 60'000;     // GitHub: 65,536 characters
inline constexpr std::size_t summary_bytes_max = 1'000'000;  // GitHub: 1 MiB a step, or none of it

/// Everything about the place of publication; empty texts are left out.
struct MarkdownFacts {
  std::string comment_id = "default";  // separates several gates on one pull request
  std::string head_sha;                // the commit the report is about
  std::string attempt;                 // of the workflow run
  std::string run_url, artifact_url;
  std::string source_url;  // <server>/<owner>/<name>/blob/<sha>: source files are below it
  std::string image;       // name@sha256:…, for the command that reproduces
  bool untrusted = false;  // the results come from a fork's run
};

/// First line of a comment of ours: "<!-- illusion-gate:v1:<comment-id> -->".
std::string comment_marker(const std::string& comment_id);
std::string to_comment(const Report& report, const MarkdownFacts& facts);
std::string to_step_summary(const Report& report, const MarkdownFacts& facts,
                            std::size_t bytes_max = summary_bytes_max);

}  // namespace gate
