// Heading, facts, tables and folded lists of the Markdown report.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/markdown_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/markdown_text.h"

namespace gate {
namespace {

constexpr std::size_t facts_bytes_max = 300;

std::string icon(const Report& report) {
  switch (exit_code(report)) {
    case 0:
      return ":white_check_mark:";
    case 1:
      return ":x:";
    default:
      return ":warning:";
  }
}

/// {"cuda": {"name": …}} as "cuda: name …"; the text is the worker's, hence foreign.
std::string device_text(const std::string& facts) {
  const auto parsed = nlohmann::json::parse(facts, nullptr, false);
  if (!parsed.is_object()) return {};
  std::vector<std::string> parts;
  const auto add = [&](const auto& self, const nlohmann::json& object) -> void {
    for (const auto& [key, value] : object.items()) {
      if (value.is_object()) self(self, value);
      if (value.is_string() && key != "device") {
        parts.push_back(key + " " + value.template get<std::string>());
      }
      if (value.is_number_integer()) {
        parts.push_back(key + " " + std::to_string(value.template get<std::int64_t>()));
      }
      if (parts.size() > 12) return;
    }
  };
  add(add, parsed);
  return join(parts, ", ");
}

/// "- line" each, then how many were left out.
std::string listed(const std::vector<std::string>& lines, std::size_t lines_max) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < lines_max; ++i) {
    text += "- " + markdown_prose(lines[i], 600) + "\n";
  }
  if (lines.size() > lines_max) {
    text += fmt::format("- and {} more; the JSON report has all\n", lines.size() - lines_max);
  }
  return text;
}

std::string folded(const std::string& title, const std::string& content) {
  if (content.empty()) return {};
  return "<details><summary>" + html_prose(title) + "</summary>\n\n" + content + "\n</details>\n\n";
}

std::vector<std::string> lines_of(const std::vector<StandingFinding>& findings,
                                  std::initializer_list<Standing> wanted) {
  std::vector<std::string> lines;
  for (const StandingFinding& each : findings) {
    if (std::find(wanted.begin(), wanted.end(), each.standing) == wanted.end()) continue;
    const Seed& seed = each.finding->seed;
    std::string line = fmt::format("{}: {} (fingerprint {})", name(each.standing),
                                   finding_title(each), seed.fingerprint);
    if (!seed.reason.empty()) line += ", " + seed.reason;
    if (!seed.owner.empty()) line += ", owner " + seed.owner;
    if (!seed.expires.empty()) line += ", expires " + seed.expires;
    lines.push_back(line);
  }
  return lines;
}

std::string fixed_section(const Report& report, const std::vector<StandingFinding>& findings,
                          std::size_t lines_max) {
  std::vector<std::string> lines = lines_of(findings, {Standing::fixed});
  for (const PassingSeed& seed : passing_seeds(report)) {
    lines.push_back(fmt::format("{}.{} passes: {} can become \"fixed\"", seed.suite, seed.test,
                                seed.file.empty() ? "its seed" : seed.file));
  }
  return folded(fmt::format("Fixed: {} (mark the seed as fixed)", lines.size()),
                lines.empty() ? "" : listed(lines, lines_max));
}

}  // namespace

std::string markdown_heading(const Report& report) {
  std::string text = fmt::format("## {} Illusion gate: {} · {}\n\n", icon(report),
                                 verdict_word(report), to_text(count_standings(report)));
  if (!report.environment_problem.empty()) {
    text += "**Environment:** " + markdown_prose(report.environment_problem, 500) + "\n\n";
  }
  if (report.loosened) {
    text += "**This change loosens what the gate demands** (see policy changes below).\n\n";
  }
  if (report.rows.empty()) text += "**Nothing was checked: the selection is empty.**\n\n";
  return text;
}

std::string markdown_facts_line(const Report& report, const MarkdownFacts& facts) {
  const CaseCounts cases = count_cases(report);
  const Counts counts = count(report);
  std::vector<std::string> parts;
  if (!facts.head_sha.empty()) parts.push_back(markdown_code(facts.head_sha.substr(0, 12)));
  parts.push_back("device " + markdown_code(report.device));
  const std::string device = device_text(report.device_facts);
  if (!device.empty()) parts.push_back(markdown_prose(device, facts_bytes_max));
  parts.push_back(fmt::format("profile {}", markdown_code(report.profile, 100)));
  parts.push_back(fmt::format("{} kernel{}, {} column{}", counts.kernels,
                              counts.kernels == 1 ? "" : "s", counts.rows,
                              counts.rows == 1 ? "" : "s"));
  parts.push_back(fmt::format("{} of {} cases", cases.checked, cases.planned));
  parts.push_back("run seed " + markdown_code(report.run_seed, 100));
  if (report.seconds > 0) parts.push_back(fmt::format("{:.0f} s", report.seconds));
  if (!report.shard.empty()) parts.push_back("shard " + markdown_code(report.shard, 50));
  if (!facts.run_url.empty()) parts.push_back(markdown_link("run", facts.run_url));
  if (!facts.artifact_url.empty()) parts.push_back(markdown_link("artifact", facts.artifact_url));
  return join(parts, " · ") + "\n\n";
}

std::string markdown_devices(const Report& report) {
  std::map<std::string, std::map<Class, std::size_t>> devices;
  for (const ReportRow& row : report.rows) ++devices[row.device][row.klass];
  if (devices.size() < 2) return {};
  std::string text =
      "| device | columns clean | illusion | defect | unchecked |\n|---|--:|--:|--:|--:|\n";
  for (auto& [device, classes] : devices) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_code(device, 100),
                        classes[Class::clean], classes[Class::illusion], classes[Class::defect],
                        classes[Class::unchecked]);
  }
  return text + "\n";
}

std::string markdown_table(const std::vector<StandingFinding>& findings, const MarkdownCuts& cuts) {
  std::size_t shown = 0, asking = 0;
  std::string text;
  for (const StandingFinding& each : findings) {
    if (!asks_for_answer(each.standing)) continue;
    if (++asking > cuts.rows_max) continue;
    ++shown;
    const Finding& finding = *each.finding;
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {}/{} |\n", name(each.standing),
        markdown_code(each.row->op + "/" + each.row->kernel, 120),
        markdown_code(each.row->column, 60),
        markdown_prose(fmt::format("{} ({})", finding.seed.property, name(finding.seed.kind)), 100),
        name(each.row->klass), markdown_code(finding.explanation.worst, 160),
        markdown_code(to_text(finding.failure.shrunk.test_case), 300), finding.failure.confirmed,
        finding.failure.attempts);
  }
  if (asking == 0) return {};
  const std::string head =
      "| | kernel | dtype | property (kind) | class | error against limit | smallest case | fails "
      "|\n|---|---|---|---|---|---|---|--:|\n";
  const std::string more =
      asking > shown ? fmt::format("\n+{} more in the summary\n", asking - shown) : std::string();
  return head + text + more + "\n";
}

std::string markdown_folded(const Report& report, const std::vector<StandingFinding>& findings,
                            const MarkdownCuts& cuts) {
  const std::vector<std::string> known =
      lines_of(findings, {Standing::known, Standing::preexisting});
  const std::vector<std::string> expected = lines_of(findings, {Standing::expected});
  const std::vector<std::string> tests = unexplained_tests(report);
  const std::vector<std::string> not_shown = not_shown_lines(report);
  const std::size_t known_max = cuts.known ? cuts.lines_max : 0;
  const auto section = [](const std::string& title, const std::vector<std::string>& lines,
                          std::size_t lines_max) {
    return lines.empty()
               ? std::string()
               : folded(fmt::format("{}: {}", title, lines.size()), listed(lines, lines_max));
  };
  return section("Known and preexisting, not blocking", known, known_max) +
         section("Expected by [expect]", expected, known_max) +
         fixed_section(report, findings, cuts.lines_max) +
         section("Other red and unchecked tests", tests, cuts.lines_max) +
         section("Policy changes and new contracts", report.policy_notes,
                 std::max<std::size_t>(cuts.lines_max, 5)) +
         section("Not shown by this run", not_shown, cuts.lines_max);
}

std::string markdown_footer(const Report& report, const MarkdownFacts& facts) {
  std::vector<std::string> parts = {"illusion gate " + markdown_prose(report.version, 50)};
  if (!facts.head_sha.empty()) parts.push_back("commit " + markdown_code(facts.head_sha, 64));
  if (!report.revision.empty() && report.revision != facts.head_sha) {
    parts.push_back("checked revision " + markdown_code(report.revision, 64));
  }
  if (!facts.attempt.empty()) parts.push_back("attempt " + markdown_code(facts.attempt, 10));
  std::string text = "<sub>" + join(parts, " · ") + "</sub>\n";
  if (facts.untrusted) {
    text += "\n*From a fork's run, as that run reported it; only the verdict job decides.*\n";
  }
  return text;
}

}  // namespace gate
