// Markdown and SVG of a study: pure functions of its parts.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "gate/cli/study_files.h"

namespace gate {
namespace {

std::string cell_text(std::string text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string row_text(const StudyJson& cells) {
  std::string line = "|";
  for (const StudyJson& cell : cells) line += " " + cell_text(cell.get<std::string>()) + " |";
  return line + "\n";
}

std::string table_text(const StudyJson& table) {
  std::string text = fmt::format("\n### {}\n\n", table["title"].get<std::string>());
  const std::string above = table["text"].get<std::string>();
  if (!above.empty()) text += above + "\n\n";
  if (table["rows"].empty()) return text + "None.\n";
  text += row_text(table["head"]) + "|";
  for (std::size_t i = 0; i < table["head"].size(); ++i) text += " --- |";
  text += "\n";
  for (const StudyJson& row : table["rows"]) text += row_text(row);
  return text;
}

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') escaped += "&amp;";
    if (c == '<') escaped += "&lt;";
    if (c == '>') escaped += "&gt;";
    if (c != '&' && c != '<' && c != '>') escaped += c;
  }
  return escaped;
}

std::string_view text_of_part(std::string_view name) {
  for (const StudyPartRow& row : all_study_parts()) {
    if (row.name == name) return row.text;
  }
  return "";
}

constexpr const char* colours[] = {"#1f6feb", "#8b949e", "#d29922", "#8957e5"};
constexpr double left = 230, width = 520, bar_height = 11, gap = 14, top = 70;

std::string bar_text(const StudyBar& bar, double y, const std::string& title) {
  const auto at = [](double percent) { return left + width * percent / 100; };
  std::string text = fmt::format(
      "<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\">"
      "<title>{}: {:.1f} %</title></rect>\n",
      left, y, std::max(width * bar.percent / 100, 0.5), bar_height - 2, colours[bar.series % 4],
      xml_text(title), bar.percent);
  if (bar.low < bar.high) {
    const double middle = y + (bar_height - 2) / 2;
    text += fmt::format(
        "<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"currentColor\" stroke-width=\"1\"/>\n",
        at(bar.low), middle, at(bar.high));
  }
  return text + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\">{:.1f}</text>\n",
                            at(std::max(bar.percent, bar.high)) + 4, y + bar_height - 3,
                            bar.percent);
}

}  // namespace

std::string study_svg(const StudyChart& chart) {
  std::string body;
  double y = top;
  std::string last;
  for (const StudyBar& bar : chart.bars) {
    if (bar.label != last) {
      if (!last.empty()) y += gap;
      body += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                          y + bar_height, xml_text(bar.label));
      last = bar.label;
    }
    const auto series = static_cast<std::size_t>(bar.series);
    body += bar_text(bar, y, bar.label + ", " + chart.series[series]);
    y += bar_height;
  }
  std::string legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double x = 12 + 195.0 * static_cast<double>(s);
    legend += fmt::format(
        "<rect x=\"{}\" y=\"36\" width=\"10\" height=\"10\" fill=\"{}\"/>"
        "<text x=\"{}\" y=\"45\">{}</text>\n",
        x, colours[s % 4], x + 14, xml_text(chart.series[s]));
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {0:.0f}\" width=\"800\" "
      "height=\"{0:.0f}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\">\n"
      "<style>svg{{color:#24292f;background:#fff}}@media(prefers-color-scheme:dark)"
      "{{svg{{color:#e6edf3;background:#0d1117}}}}</style>\n"
      "<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{1}</text>\n{2}{3}</svg>\n",
      y + 20, xml_text(chart.title), legend, body);
}

std::string study_markdown(const std::vector<StudyJson>& parts) {
  std::string text =
      "# What the gate finds, and what it does not accuse\n\n"
      "Written by `gate study`; figures marked *published* are quoted from the papers, all others "
      "were measured. Shares carry Wilson intervals at 95 %. Raw runs: `raw/`; machine-readable: "
      "`study.json`.\n";
  for (const StudyJson& part : parts) {
    const StudyJson& manifest = part["manifest"];
    const std::string name = part["name"].get<std::string>();
    text += fmt::format("\n## {}: {}\n\n", name, text_of_part(name));
    text +=
        fmt::format("{}. Device {}, run seed {}, {}.\n", part.value("measured", std::string()),
                    manifest["device"].get<std::string>(), manifest["run_seed"].get<std::string>(),
                    manifest["system"].get<std::string>());
    for (const StudyJson& chart : part["charts"]) {
      text += fmt::format("\n![{}]({})\n", chart["title"].get<std::string>(),
                          chart["file"].get<std::string>());
    }
    for (const StudyJson& table : part["tables"]) text += table_text(table);
  }
  return text;
}

}  // namespace gate
