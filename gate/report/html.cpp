// The report page: verdict, rows, findings, maps, and what the run does not show.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/html.h"

#include <fmt/format.h>

#include "gate/base/hash.h"
#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/html_text.h"
#include "gate/report/score.h"

namespace gate {
namespace {

constexpr std::size_t maps_max = 60;  // rows with a map, those with findings first
constexpr std::size_t tests_max = 100;

/// The style's digest, which is what lets the policy forbid every other style.
std::string style_digest(std::string_view style) {
  const std::string hex = sha256_hex(style);
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const auto value = parse_hex64(hex.substr(i, 2));
    bytes += static_cast<char>(value.value_or(0));
  }
  std::string text = base64url(bytes);
  for (char& letter : text) {
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string head(const Report& report) {
  const std::string style(page_text("style"));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>Illusion gate: {}</title>\n<style>{}</style>\n</head>\n<body>\n",
      style_digest(style), html_escaped(verdict_word(report)), style);
}

std::string facts(const Report& report) {
  const CaseCounts cases = count_cases(report);
  std::string text = "<dl>\n";
  text += html_field("device", html_escaped(report.device));
  text += html_field("profile", html_escaped(report.profile));
  text += html_field("cases", fmt::format("{} of {} checked", cases.checked, cases.planned));
  text += html_field("run seed", "<code>" + html_escaped(report.run_seed) + "</code>");
  if (!report.revision.empty()) {
    text += html_field("revision", "<code>" + html_escaped(report.revision) + "</code>");
  }
  text += html_field("shard", html_escaped(report.shard));
  text += html_field("started", html_escaped(report.started));
  if (report.seconds > 0) text += html_field("took", fmt::format("{:.1f} s", report.seconds));
  return text + "</dl>\n";
}

std::string notes(const Report& report) {
  std::string text;
  if (!report.environment_problem.empty()) {
    text += "<p><b>Environment:</b> " + html_escaped(report.environment_problem) + "</p>\n";
  }
  if (report.loosened) {
    text += "<p class=\"fail\"><b>This change loosens what the gate demands.</b></p>\n";
  }
  if (report.rows.empty()) text += "<p><b>Nothing was checked: the selection is empty.</b></p>\n";
  if (!report.policy_notes.empty()) {
    text += "<h2>Policy changes and new contracts</h2>\n" + html_list(report.policy_notes);
  }
  return text;
}

std::string cell(std::string_view label, const std::string& html, bool numeric = false) {
  return fmt::format("<td data-label=\"{}\"{}>{}</td>", label, numeric ? " class=\"n\"" : "", html);
}

std::string fixed_shape_word(const ReportRow& row) {
  if (row.fixed_shape.empty()) return "not measured";
  return row.illusion_rule_passed ? "passes" : "fails";
}

std::string row_html(const ReportRow& row, std::size_t number) {
  std::string text = "<tr>";
  const std::string kernel = html_escaped(row.op + "/" + row.kernel);
  const bool mapped = !row.coverage.points.empty() && number < maps_max;
  text +=
      cell("kernel", mapped ? fmt::format("<a href=\"#map-{}\">{}</a>", number, kernel) : kernel);
  text += cell("column", html_escaped(row.column));
  text += cell("device", html_escaped(row.device));
  text += cell("class", html_badge(name(row.klass)));
  text += cell("kind", std::string(name(row.kind)));
  text += cell("fixed shape", fixed_shape_word(row));
  text += cell("cases", fmt::format("{}/{}", row.cases, row.planned), true);
  text +=
      cell("first finding",
           row.cases_to_first_finding > 0 ? std::to_string(row.cases_to_first_finding) : "-", true);
  const std::string expected =
      row.expected.empty() ? "-" : html_escaped(row.expected) + (row.as_expected ? "" : ": no");
  return text + cell("expected", expected) + "</tr>\n";
}

std::string rows_table(const Report& report) {
  if (report.rows.empty()) return {};
  std::string text =
      "<h2>Rows</h2>\n<p class=\"legend\">A row is a kernel's column. Fixed shape: KernelBench's "
      "rule on one shape. An illusion passes it and is wrong all the same.</p>\n"
      "<table class=\"cards\"><thead><tr><th>kernel</th><th>column</th><th>device</th>"
      "<th>class</th><th>kind</th><th>fixed shape</th><th class=\"n\">cases</th>"
      "<th class=\"n\">first finding</th><th>expected</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < report.rows.size(); ++i) text += row_html(report.rows[i], i);
  return text + "</tbody></table>\n";
}

std::string scores(const Report& report) {
  const std::string table = score_table_text(report);
  if (table.empty()) return {};
  return "<h2>By op and author</h2>\n<pre class=\"map\">" + html_escaped(table, 64 * 1024) +
         "</pre>\n";
}

std::string maps(const Report& report) {
  std::string text;
  for (std::size_t i = 0; i < report.rows.size() && i < maps_max; ++i) {
    const ReportRow& row = report.rows[i];
    const std::string drawn = html_point_maps(row);
    if (drawn.empty()) continue;
    text += fmt::format("<article id=\"map-{}\"><h3>{} {} {}</h3>\n{}</article>\n", i,
                        html_escaped(row.op + "/" + row.kernel), html_escaped(row.column),
                        html_badge(name(row.klass)), drawn);
  }
  if (text.empty()) return {};
  std::string head =
      "<h2>What passed and failed where</h2>\n<p class=\"legend\">Every judged case by its sizes, "
      "on logarithmic axes: dot passed, cross failed, ring not checked.</p>\n";
  if (report.rows.size() > maps_max) {
    head += fmt::format("<p class=\"legend\">The first {} of {} rows.</p>\n", maps_max,
                        report.rows.size());
  }
  return head + text;
}

std::string other_tests(const Report& report) {
  std::vector<std::string> tests = unexplained_tests(report);
  if (tests.empty()) return {};
  const std::size_t all = tests.size();
  if (all > tests_max) {
    tests.resize(tests_max);
    tests.push_back(fmt::format("and {} more", all - tests_max));
  }
  return "<h2>Other red and unchecked tests</h2>\n" + html_list(tests);
}

}  // namespace

std::string to_html(const Report& report) {
  const std::vector<StandingFinding> findings = standing_findings(report);
  std::string text = head(report);
  text += "<h1>Illusion gate: " + html_badge(verdict_word(report)) + "</h1>\n";
  text += "<p>" + html_escaped(summary_line(report)) + "</p>\n";
  text += facts(report);
  text += notes(report);
  text += html_findings(findings);
  text += other_tests(report);
  text += rows_table(report);
  text += scores(report);
  text += maps(report);
  text += html_limits(report);
  return text + "<footer>illusion gate " + html_escaped(report.version) +
         "</footer>\n</body>\n</html>\n";
}

}  // namespace gate
