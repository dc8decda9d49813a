// One finding as a folded section: what failed, why it counts, how to reproduce it, its seed.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/report/markdown_sections.h"
#include "gate/report/markdown_text.h"
#include "gate/report/token.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr std::size_t seed_bytes_max = 6'000;

/// Embedded tensors only spare a reader the generator: without them a seed still replays.
Seed shown_seed(const Seed& seed) {
  Seed shown = seed;
  if (to_toml(seed).size() > seed_bytes_max) shown.embedded.clear();
  return shown;
}

std::string reason_of(const StandingFinding& each) {
  const RawFailure& failure = each.finding->failure;
  switch (each.standing) {
    case Standing::regressed:
      return "Its seed is committed as `fixed`, and it fails again.";
    case Standing::flaky:
      return fmt::format(
          "It failed in {} of {} fresh workers on the same bytes: a real finding (a race, or "
          "memory nobody wrote), whatever the rate.",
          failure.confirmed, failure.attempts);
    default:
      return "No seed of the base revision declares it as known, and the base revision's kernel, "
             "where there is one, does not fail the same way.";
  }
}

bool is_plain_path(const std::string& path) {
  return !path.empty() && path.front() != '/' && path.find("..") == std::string::npos &&
         std::all_of(path.begin(), path.end(), [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                  std::string_view("._-/+").find(letter) != std::string_view::npos;
         });
}

std::string source_text(const Finding& finding, const MarkdownFacts& facts) {
  if (finding.source_file.empty()) return {};
  const int line = std::max(1, finding.source_line);
  const std::string shown = markdown_code(fmt::format("{}:{}", finding.source_file, line));
  if (facts.source_url.empty() || !is_plain_path(finding.source_file)) return shown;
  return markdown_link(shown,
                       fmt::format("{}/{}#L{}", facts.source_url, finding.source_file, line));
}

void add_line(std::string& text, std::string_view what, const std::string& markdown) {
  if (!markdown.empty()) text += fmt::format("- **{}:** {}\n", what, markdown);
}

std::string what_failed(const Finding& finding, const MarkdownFacts& facts) {
  const Explanation& explanation = finding.explanation;
  const RawFailure& failure = finding.failure;
  std::string text;
  add_line(text, "What",
           markdown_prose(explanation.sentence.empty() ? failure.shrunk.verdict.text
                                                       : explanation.sentence));
  add_line(text, "Where", source_text(finding, facts));
  if (!explanation.worst.empty()) add_line(text, "Worst element", markdown_code(explanation.worst));
  const std::string detail =
      explanation.pattern_detail.empty() ? "" : ": " + explanation.pattern_detail;
  add_line(text, "Pattern", markdown_prose(explanation.pattern + detail, 500));
  add_line(text, "When", markdown_prose(explanation.core, 1000));
  add_line(text, "Smallest case", markdown_code(to_text(failure.shrunk.test_case), 2000));
  add_line(
      text, "Found",
      markdown_prose(fmt::format("entry {} of strategy {}, shrunk in {} executions, fails in "
                                 "{} of {} fresh workers",
                                 failure.first.number + 1, failure.first.strategy,
                                 failure.shrink_executions, failure.confirmed, failure.attempts)));
  return text;
}

std::string reproduce(const Seed& seed, const MarkdownFacts& facts) {
  const std::string token = to_token(seed);
  std::string commands = "gate replay " + token + "\n";
  if (!facts.image.empty()) {
    const std::string gpus = seed.device == "cuda" ? " --gpus all" : "";
    commands = fmt::format(
        "SEED={}\ngate replay $SEED\n"
        "docker run --rm --network none{} -v \"$PWD\":/work:ro -w /work --entrypoint gate {} "
        "replay $SEED\n",
        token, gpus, facts.image);
  }
  return "**Reproduce** (in the repository):\n\n" + markdown_block(commands, "sh", 16 * 1024) +
         "\n";
}

std::string draft(const Seed& seed) {
  const std::string suffix = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
  const std::string file = fmt::format("seeds/{}/{}-{}{}.toml", seed.test_case.op, seed.kernel,
                                       seed.fingerprint, suffix);
  return "**Keep it as a regression test:** commit the seed as " + markdown_code(file) +
         " with `status = \"fixed\"` once the kernel is right; the gate then runs it first, as " +
         markdown_code(fmt::format("{}/{}.{}/seed/{}", seed.test_case.op, seed.kernel,
                                   seed.test_case.column, seed.fingerprint)) +
         ".\n\n";
}

struct Parts {
  bool seed = true, draft = true;
};

std::string section(const StandingFinding& each, const MarkdownFacts& facts, Parts parts) {
  const Finding& finding = *each.finding;
  const Seed seed = shown_seed(finding.seed);
  std::string text =
      fmt::format("<details><summary><b>{}</b> {} ({})</summary>\n\n", name(each.standing),
                  html_prose(finding_title(each)), html_prose(finding.seed.fingerprint));
  text += what_failed(finding, facts);
  add_line(text, fmt::format("Why it is {}", name(each.standing)), reason_of(each));
  text += "\n";
  if (!finding.explanation.error_map.empty()) {
    text += markdown_block(finding.explanation.error_map, "text", 3'000) + "\n";
  }
  if (!finding.sanitizer.empty()) {
    text += "compute-sanitizer:\n\n" + markdown_block(finding.sanitizer, "text", 3'000) + "\n";
  }
  text += reproduce(seed, facts);
  if (parts.seed) {
    text += "**Seed:**\n\n" + markdown_block(to_toml(seed), "toml", 16 * 1024) + "\n";
  } else if (!facts.artifact_url.empty()) {
    text += "Seed: in the " + markdown_link("artifact", facts.artifact_url) + ".\n\n";
  }
  if (parts.draft) text += draft(seed);
  return text + "</details>\n\n";
}

}  // namespace

std::string markdown_details(const std::vector<StandingFinding>& findings,
                             const MarkdownFacts& facts, const MarkdownCuts& cuts) {
  std::string text;
  std::size_t asking = 0;
  for (const StandingFinding& each : findings) {
    if (!asks_for_answer(each.standing)) continue;
    if (asking++ >= cuts.details_max) continue;
    text += section(each, facts, {asking <= cuts.seeds_max, cuts.drafts});
  }
  return text;
}

}  // namespace gate
