// The part `strategies`: every input strategy with every tolerance rule, and how many cases the
// first detection takes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <map>

#include "gate/search/study_part.h"
#include "gate/search/study_rules.h"

namespace gate {
namespace {

struct Cell {
  StudyCounts counts;
  std::int64_t first = 0;  // number of the first red case, from 1; 0: none
};

struct Matrix {
  std::map<std::pair<std::string, int>, Cell> cells;  // strategy, row of the corpus
  std::vector<std::string> raw;
  std::size_t missing = 0;
};

Matrix run_matrix(const StudyOptions& options) {
  std::vector<StudyUnit> units;
  for (const StudyStrategy& strategy : all_study_strategies()) {
    for (const StudyKernel& kernel : options.kernels) {
      for (const std::string& column : study_columns(kernel, strategy)) {
        units.push_back({&kernel, column, options.device, &strategy, options.cases});
      }
    }
  }
  const UnitRuns whole = run_units(units, options);
  Matrix matrix;
  matrix.missing = whole.missing;
  if (whole.missing > 0) return matrix;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const StudyUnit& unit = units[u];
    Cell& cell = matrix.cells[{std::string(unit.strategy->name), unit.kernel->row}];
    std::int64_t number = 0;
    for (const StudyRun& run : whole.runs[u]) {
      ++number;
      cell.counts.add(run);
      const bool red = colour(run.kind) == Colour::red;
      if (red && (cell.first == 0 || number < cell.first)) cell.first = number;
      matrix.raw.push_back(raw_line(unit, run));
    }
  }
  return matrix;
}

StudyCounts total(const Matrix& matrix, const StudyOptions& options, std::string_view strategy,
                  bool buggy) {
  StudyCounts counts;
  counts.rules.resize(all_study_rules().size());
  for (const StudyKernel& kernel : options.kernels) {
    if (kernel.buggy != buggy) continue;
    const auto cell = matrix.cells.find({std::string(strategy), kernel.row});
    if (cell != matrix.cells.end()) counts.add(cell->second.counts);
  }
  return counts;
}

std::string pair_text(const StudyCounts& buggy, const StudyCounts& control, std::size_t rule) {
  const Share recall{buggy.rules[rule], buggy.cases}, wrong{control.rules[rule], control.cases};
  return fmt::format("{:.1f} / {:.1f}", 100 * recall.value(), 100 * wrong.value());
}

std::string published_pair(double recall, double wrong) {
  return recall < 0 ? "-" : fmt::format("{:.0f} / {:.1f}", recall, wrong);
}

StudyTable summary_table(const Matrix& matrix, const StudyOptions& options) {
  StudyTable table{"Strategies and rules: recall / false positives, percent of cases", "", {}, {}};
  table.head = {"strategy",         "published", "published on CPU ports",
                "ports, NaN-aware", "the gate",  "ceiling"};
  for (const StudyRule& rule : all_study_rules()) table.head.emplace_back(rule.name);
  for (const StudyStrategy& strategy : all_study_strategies()) {
    const StudyCounts buggy = total(matrix, options, strategy.name, true);
    const StudyCounts control = total(matrix, options, strategy.name, false);
    std::vector<std::string> row = {
        std::string(strategy.name),
        published_pair(strategy.recall, strategy.false_positives),
        published_pair(strategy.ports_recall, strategy.ports_false_positives),
        published_pair(strategy.aware_recall, strategy.aware_false_positives),
        fmt::format("**{:.1f} / {:.1f}**", 100 * buggy.red_share().value(),
                    100 * control.red_share().value()),
        fmt::format("{:.1f}", 100 * buggy.ceiling().value())};
    for (std::size_t r = 0; r < all_study_rules().size(); ++r) {
      row.push_back(pair_text(buggy, control, r));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Published failures of 8 per kernel beside our recall per case.
StudyTable kernel_table(const Matrix& matrix, const StudyOptions& options) {
  StudyTable table{
      "Recall per bug: published failures of 8, then ours per case in percent", "", {}, {}};
  table.head = {"bug"};
  for (const StudyStrategy& strategy : all_study_strategies()) {
    table.head.emplace_back(strategy.name);
  }
  for (const StudyKernel& kernel : options.kernels) {
    if (!kernel.buggy) continue;
    const StudyJson published = StudyJson::parse(kernel.published);
    std::vector<std::string> row = {kernel.kernel->name};
    for (const StudyStrategy& strategy : all_study_strategies()) {
      const std::string name(strategy.name);
      const auto cell = matrix.cells.find({name, kernel.row});
      std::string text = "-";
      if (published.contains("failures_of_8") && published["failures_of_8"].contains(name)) {
        text = fmt::format("{}/8", published["failures_of_8"][name].get<int>());
      }
      if (cell != matrix.cells.end()) {
        text += fmt::format(" → {:.0f}", 100 * cell->second.counts.red_share().value());
      }
      row.push_back(text);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Cases until one detects with 99 % probability, at this recall per case; 0: never.
std::int64_t cases_for_99(const Share& recall) {
  if (recall.count == 0) return 0;
  if (recall.count == recall.of) return 1;
  return static_cast<std::int64_t>(std::ceil(std::log(0.01) / std::log1p(-recall.value())));
}

StudyTable first_table(const Matrix& matrix, const StudyOptions& options, StudyJson& json) {
  StudyTable table{"Cases to first detection (and cases for 99 % probability)", "", {"bug"}, {}};
  for (const StudyStrategy& strategy : all_study_strategies()) {
    table.head.emplace_back(strategy.name);
  }
  for (const StudyKernel& kernel : options.kernels) {
    if (!kernel.buggy) continue;
    std::vector<std::string> row = {kernel.kernel->name};
    for (const StudyStrategy& strategy : all_study_strategies()) {
      const auto cell = matrix.cells.find({std::string(strategy.name), kernel.row});
      if (cell == matrix.cells.end()) {
        row.push_back("-");
        continue;
      }
      const std::int64_t needed = cases_for_99(cell->second.counts.red_share());
      const std::int64_t first = cell->second.first;
      row.push_back(first == 0 ? "never" : fmt::format("{} ({})", first, needed));
      json.push_back({{"kernel", kernel.kernel->name},
                      {"strategy", std::string(strategy.name)},
                      {"cases", cell->second.counts.cases},
                      {"recall", to_json(cell->second.counts.red_share())},
                      {"ceiling", cell->second.counts.ceiling().value()},
                      {"first_detection", first},
                      {"cases_for_99_percent", needed}});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

StudyChart chart_of(const Matrix& matrix, const StudyOptions& options) {
  StudyChart chart{"strategies",
                   "Recall and false positives by input strategy",
                   {"the gate: recall", "hand tolerance: recall", "the gate: false positives",
                    "hand tolerance: false positives"},
                   {}};
  for (const StudyStrategy& strategy : all_study_strategies()) {
    const StudyCounts buggy = total(matrix, options, strategy.name, true);
    const StudyCounts control = total(matrix, options, strategy.name, false);
    const Share shares[] = {buggy.red_share(),
                            {buggy.rules[0], buggy.cases},
                            control.red_share(),
                            {control.rules[0], control.cases}};
    for (int s = 0; s < 4; ++s) {
      chart.bars.push_back({std::string(strategy.name), 100 * shares[s].value(),
                            100 * shares[s].low(), 100 * shares[s].high(), s});
    }
  }
  return chart;
}

}  // namespace

StudyPart study_strategies(const StudyOptions& options) {
  Matrix matrix = run_matrix(options);
  if (matrix.missing > 0) return unfinished("strategies", matrix.missing);
  StudyPart part;
  part.name = "strategies";
  part.measured = measured_text(options);
  StudyJson cells = StudyJson::array();
  part.tables.push_back(summary_table(matrix, options));
  part.tables.push_back(kernel_table(matrix, options));
  part.tables.push_back(first_table(matrix, options, cells));
  for (const StudyStrategy& strategy : all_study_strategies()) {
    const StudyCounts buggy = total(matrix, options, strategy.name, true);
    const StudyCounts control = total(matrix, options, strategy.name, false);
    StudyJson row = {{"strategy", std::string(strategy.name)},
                     {"recall", to_json(buggy.red_share())},
                     {"ceiling", to_json(buggy.ceiling())},
                     {"false_positives", to_json(control.red_share())}};
    for (std::size_t r = 0; r < all_study_rules().size(); ++r) {
      row["rules"][std::string(all_study_rules()[r].name)] = {
          {"recall", to_json(Share{buggy.rules[r], buggy.cases})},
          {"false_positives", to_json(Share{control.rules[r], control.cases})}};
    }
    part.data["strategies"].push_back(std::move(row));
  }
  part.data["cells"] = std::move(cells);
  part.charts.push_back(chart_of(matrix, options));
  part.raw = std::move(matrix.raw);
  return part;
}

}  // namespace gate
