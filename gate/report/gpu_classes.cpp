// The table of verdicts per class of GPU: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/gpu_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/report/markdown_text.h"

namespace gate {
namespace {

struct Line {
  std::string name;                          // op/kernel column
  std::map<std::string, std::string> cells;  // class of GPU -> class of the row
  bool calm() const {
    std::set<std::string> different;
    for (const auto& [gpu, cell] : cells) different.insert(cell);
    return different.size() == 1 && *different.begin() == "clean";
  }
};

std::vector<Line> lines_of(const Report& report) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;
  for (const ReportRow& row : report.rows) {
    if (row.gpu_class.empty()) continue;
    const std::string name = row.op + "/" + row.kernel + " " + row.column;
    const auto [place, added] = places.try_emplace(name, lines.size());
    if (added) lines.push_back({name, {}});
    lines[place->second].cells[row.gpu_class] = std::string(gate::name(row.klass));
  }
  const std::size_t classes = gpu_classes(report).size();
  std::stable_sort(lines.begin(), lines.end(), [classes](const Line& left, const Line& right) {
    const auto rank = [classes](const Line& line) {
      return line.calm() && line.cells.size() == classes ? 1 : 0;
    };
    return rank(left) < rank(right);
  });
  return lines;
}

std::string gap(const Report& report) {
  return fmt::format("not run (known gap): {}", join(report.gpu_classes_not_run, ", "));
}

std::string cell_of(const Line& line, const std::string& gpu) {
  const auto at = line.cells.find(gpu);
  return at == line.cells.end() ? "no row" : at->second;
}

}  // namespace

std::vector<std::string> gpu_classes(const Report& report) {
  std::vector<std::string> classes;
  for (const ReportRow& row : report.rows) {
    if (row.gpu_class.empty()) continue;
    if (std::find(classes.begin(), classes.end(), row.gpu_class) == classes.end()) {
      classes.push_back(row.gpu_class);
    }
  }
  return classes;
}

std::string gpu_class_markdown(const Report& report, std::size_t rows_max) {
  const std::vector<std::string> classes = gpu_classes(report);
  const std::vector<std::string>& gaps = report.gpu_classes_not_run;
  if (classes.empty() && gaps.empty()) return {};
  std::string head = "| kernel, column |", rule = "|---|";
  for (const std::string& gpu : classes) head += fmt::format(" {} |", markdown_code(gpu, 60));
  for (const std::string& gpu : gaps) head += fmt::format(" {} |", markdown_code(gpu, 60));
  for (std::size_t i = 0; i < classes.size() + gaps.size(); ++i) rule += "---|";
  std::string text = head + "\n" + rule + "\n";
  const std::vector<Line> lines = lines_of(report);
  for (std::size_t i = 0; i < lines.size() && i < rows_max; ++i) {
    text += fmt::format("| {} |", markdown_code(lines[i].name, 160));
    for (const std::string& gpu : classes) text += fmt::format(" {} |", cell_of(lines[i], gpu));
    for (std::size_t g = 0; g < gaps.size(); ++g) text += " not run |";
    text += "\n";
  }
  if (lines.size() > rows_max) text += fmt::format("\n+{} more rows\n", lines.size() - rows_max);
  if (!gaps.empty()) text += "\nClasses of GPU " + markdown_prose(gap(report), 600) + "\n";
  return text + "\n";
}

std::string gpu_class_text(const Report& report) {
  const std::vector<std::string> classes = gpu_classes(report);
  if (classes.empty() && report.gpu_classes_not_run.empty()) return {};
  std::string text = "\nVerdicts per class of GPU:\n";
  for (const Line& line : lines_of(report)) {
    text += "  " + clean_text(line.name, 200) + ":";
    for (const std::string& gpu : classes) text += fmt::format("  {} {}", gpu, cell_of(line, gpu));
    text += "\n";
  }
  if (!report.gpu_classes_not_run.empty()) text += "  " + gap(report) + "\n";
  return text;
}

}  // namespace gate
