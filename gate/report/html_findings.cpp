// Findings on the report page: what, where, when, how far off, how to see it again.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/report/html_text.h"
#include "gate/report/token.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr std::size_t findings_max = 200;
constexpr std::size_t seed_bytes_max = 64 * 1024;
constexpr int block_size = 8;  // of an error map, in units of the drawing

std::string code(const std::string& text) {
  return text.empty() ? text : "<code>" + html_escaped(text) + "</code>";
}

std::string finding_html(const StandingFinding& each) {
  const Finding& finding = *each.finding;
  const RawFailure& failure = finding.failure;
  const Explanation& explanation = finding.explanation;
  const std::string& what =
      explanation.sentence.empty() ? failure.shrunk.verdict.text : explanation.sentence;
  std::string text =
      fmt::format("<article><h3>{} {} {}</h3>\n", html_badge(name(each.standing)),
                  html_badge(name(each.row->klass)), html_escaped(finding_title(each)));
  text += "<p>" + html_escaped(what) + "</p>\n<dl>\n";
  text += html_field("when", html_escaped(explanation.core));
  text += html_field("pattern",
                     html_escaped(explanation.pattern_detail.empty()
                                      ? explanation.pattern
                                      : explanation.pattern + ": " + explanation.pattern_detail));
  text += html_field("worst element", code(explanation.worst));
  text += html_field("where", code(fmt::format("{}:{}", finding.source_file, finding.source_line)));
  text += html_field("case", code(to_text(failure.shrunk.test_case)));
  text += html_field("found", html_escaped(fmt::format(
                                  "entry {} of the plan ({}), shrunk in {} executions, fails in {} "
                                  "of {} fresh workers",
                                  failure.first.number + 1, failure.first.strategy,
                                  failure.shrink_executions, failure.confirmed, failure.attempts)));
  text += html_field("fingerprint", code(finding.seed.fingerprint));
  text += "</dl>\n" + html_error_map(explanation.error_map);
  text += "<pre>gate replay " + html_escaped(to_token(finding.seed), seed_bytes_max) + "</pre>\n";
  text += "<details><summary>seed</summary><pre>" +
          html_escaped(to_toml(finding.seed), seed_bytes_max) + "</pre></details>\n";
  return text + "</article>\n";
}

/// What a letter of an error map stands for, as a class of the drawing; -1: no letter of a map.
int shade(char letter) {
  switch (letter) {
    case '.':
      return 0;
    case '-':
      return 1;
    case '#':
      return 2;
    case 'N':
      return 3;
    default:
      return std::isupper(static_cast<unsigned char>(letter)) != 0 ? 4 : -1;
  }
}

bool is_map_line(const std::string& line) {
  return !line.empty() && line.size() <= 128 &&
         std::all_of(line.begin(), line.end(), [](char letter) { return shade(letter) >= 0; });
}

/// Equal neighbours are one rectangle.
std::string drawn_line(const std::string& line, std::size_t number) {
  std::string text;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin + 1;
    while (end < line.size() && line[end] == line[begin]) ++end;
    text += fmt::format("<rect class=\"e{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                        shade(line[begin]), begin * block_size, number * block_size,
                        (end - begin) * block_size - 1, block_size - 1);
    begin = end;
  }
  return text + "\n";
}

}  // namespace

std::string html_error_map(const std::string& map) {
  if (map.empty()) return {};
  std::vector<std::string> captions, lines;
  std::size_t width = 0;
  for (const std::string& line : split(clean_text(map, 16 * 1024), '\n')) {
    if (trim(line).empty()) continue;
    if (!is_map_line(line)) {
      captions.push_back(line);
      continue;
    }
    width = std::max(width, line.size());
    lines.push_back(line);
  }
  if (lines.empty()) return "<pre class=\"map\">" + html_escaped(map, 16 * 1024) + "</pre>\n";
  std::string text = fmt::format(
      "<figure><svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"error map\">\n",
      width * block_size, lines.size() * block_size);
  for (std::size_t i = 0; i < lines.size(); ++i) text += drawn_line(lines[i], i);
  const std::string legend = "dark: most elements of a block fail, pale: some, violet: NaN or inf";
  captions.push_back(legend);
  return text + "</svg><figcaption>" + html_escaped(join(captions, " · ")) +
         "</figcaption></figure>\n";
}

std::string html_findings(const std::vector<StandingFinding>& findings) {
  if (findings.empty()) return {};
  std::string text = fmt::format("<h2>Findings: {}</h2>\n", findings.size());
  for (std::size_t i = 0; i < findings.size() && i < findings_max; ++i) {
    text += finding_html(findings[i]);
  }
  if (findings.size() > findings_max) {
    text += fmt::format("<p>and {} more; the JSON report has all</p>\n",
                        findings.size() - findings_max);
  }
  return text;
}

}  // namespace gate
