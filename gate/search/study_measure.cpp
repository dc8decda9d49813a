// Running the units of strategies, counting them, and the tables per kernel.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gate/search/study_rules.h"

namespace gate {
namespace {

std::string percent(const Share& share) {
  return share.of == 0 ? "-" : fmt::format("{:.1f}", 100 * share.value());
}

/// Figures of this row in the papers, as they were printed.
struct PublishedRow {
  std::string of_30 = "-", by_tolerance = "-";
};
PublishedRow published_of(const StudyKernel& kernel, const std::string& column) {
  const StudyJson published = StudyJson::parse(kernel.published);
  const auto number = [](const StudyJson& value) {
    return value.is_number() ? std::to_string(value.get<int>()) : std::string("-");
  };
  PublishedRow row;
  if (published.contains("failures_of_30")) {
    row.of_30 = fmt::format("{} / {}", number(published["failures_of_30"]),
                            number(published["failures_of_30_ports"]));
  }
  const StudyJson pairs = published.value("recall_hand_calibrated", StudyJson::object());
  if (pairs.contains(column)) {
    row.by_tolerance =
        fmt::format("{} → {}", pairs[column][0].get<int>(), pairs[column][1].get<int>());
  }
  return row;
}

using RowCounts = std::map<std::pair<int, std::string>, StudyCounts>;

RowCounts count_rows(const Measured& measured, bool buggy,
                     std::map<int, const StudyKernel*>& kernels) {
  RowCounts counts;
  for (std::size_t u = 0; u < measured.units.size(); ++u) {
    const StudyUnit& unit = measured.units[u];
    if (unit.kernel->buggy != buggy) continue;
    kernels[unit.kernel->row] = unit.kernel;
    StudyCounts& at = counts[{unit.kernel->row, unit.column}];
    for (const StudyRun& run : measured.runs[u]) at.add(run);
  }
  return counts;
}

}  // namespace

Measured measure(const StudyOptions& options, const std::vector<std::string_view>& strategies) {
  Measured measured;
  for (const std::string_view name : strategies) {
    const StudyStrategy& strategy = study_strategy(name);
    for (const StudyKernel& kernel : options.kernels) {
      for (const std::string& column : study_columns(kernel, strategy)) {
        measured.units.push_back({&kernel, column, options.device, &strategy, options.cases});
      }
    }
  }
  UnitRuns whole = run_units(measured.units, options);
  measured.runs = std::move(whole.runs);
  measured.missing = whole.missing;
  return measured;
}

StudyCounts count(const Measured& measured, const Which& which) {
  StudyCounts counts;
  counts.rules.resize(all_study_rules().size());
  for (std::size_t u = 0; u < measured.units.size(); ++u) {
    if (!which(measured.units[u])) continue;
    for (const StudyRun& run : measured.runs[u]) counts.add(run);
  }
  return counts;
}

Share rule_share(const StudyCounts& counts, std::size_t rule) {
  return {counts.rules[rule], counts.cases};
}

void add_raw(const Measured& measured, StudyPart& part) {
  for (std::size_t u = 0; u < measured.units.size(); ++u) {
    for (const StudyRun& run : measured.runs[u]) {
      part.raw.push_back(raw_line(measured.units[u], run));
    }
  }
}

StudyTable buggy_table(const Measured& measured) {
  StudyTable table{
      "Buggy kernels, percent of cases",
      "Missed: visible in fp64 and green. Left out: visible only where nothing can be "
      "judged. Published: failures of 30 on an RTX 3060 / on CPU ports; recall with "
      "hand → calibrated tolerances.",
      {"kernel", "column", "cases", "red", "ceiling", "missed", "left out", "hand",
       "NaN-aware hand", "calibrated", "published of 30", "published hand → calibrated"},
      {}};
  std::map<int, const StudyKernel*> kernels;
  for (const auto& [key, c] : count_rows(measured, true, kernels)) {
    const StudyKernel& kernel = *kernels[key.first];
    std::vector<std::string> row = {kernel.kernel->name,
                                    key.second,
                                    std::to_string(c.cases),
                                    percent(c.red_share()),
                                    percent(c.ceiling()),
                                    std::to_string(c.missed),
                                    std::to_string(c.visible_anywhere - c.visible)};
    for (const std::size_t rule : {0, 1, 2}) row.push_back(percent(rule_share(c, rule)));
    const PublishedRow published = published_of(kernel, key.second);
    row.push_back(published.of_30);
    row.push_back(published.by_tolerance);
    table.rows.push_back(std::move(row));
  }
  return table;
}

StudyTable gpu_table(const Measured& measured) {
  StudyTable table{"Failing cases per buggy kernel: published by GPU, and ours",
                   "Both dtypes together, native shapes; ours in percent of cases, first with the "
                   "published hand tolerances, then the gate's verdict.",
                   {"kernel"},
                   {}};
  std::map<int, StudyCounts> counts;
  std::map<int, const StudyKernel*> kernels;
  for (const auto& [key, c] : count_rows(measured, true, kernels)) counts[key.first].add(c);
  for (const auto& [row, c] : counts) {
    std::vector<std::string> cells = {kernels[row]->kernel->name};
    const StudyJson published = StudyJson::parse(kernels[row]->published);
    const StudyJson by_gpu = published.value("failures_by_gpu", StudyJson::object());
    const bool first = table.rows.empty();
    for (const auto& [gpu, pair] : by_gpu.items()) {
      if (first) table.head.push_back("*published* " + gpu);
      const Share share{pair[0].get<std::int64_t>(), pair[1].get<std::int64_t>()};
      cells.push_back(fmt::format("{}/{} {:.0f} %", share.count, share.of, 100 * share.value()));
    }
    cells.push_back(percent(rule_share(c, 0)));
    cells.push_back(percent(c.red_share()));
    table.rows.push_back(std::move(cells));
  }
  table.head.insert(table.head.end(), {"ours, hand %", "the gate %"});
  return table;
}

StudyTable control_table(const Measured& measured) {
  StudyTable table{"Controls",
                   "Largest ratio: error beyond the final rounding, in envelopes.",
                   {"kernel", "column", "cases", "red", "grey", "largest ratio", "hand %",
                    "NaN-aware hand %", "calibrated %"},
                   {}};
  std::map<int, const StudyKernel*> kernels;
  for (const auto& [key, c] : count_rows(measured, false, kernels)) {
    std::vector<std::string> row = {
        kernels[key.first]->kernel->name, key.second,
        std::to_string(c.cases),          std::to_string(c.red),
        std::to_string(c.grey),           fmt::format("{:.3f}", c.largest_ratio)};
    for (const std::size_t rule : {0, 1, 2}) row.push_back(percent(rule_share(c, rule)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

StudyTable calibration_table(const Measured& measured) {
  StudyTable table{
      "Absolute errors of correct kernels beside the published calibration",
      "p95 of the largest |got - rounded reference| per case, as published (percentile "
      "by rounded index); the published tolerance is 1.5 times its p95.",
      {"control", "column", "hand", "published p95", "ours p95", "ours largest"},
      {}};
  for (std::size_t u = 0; u < measured.units.size(); ++u) {
    const StudyUnit& unit = measured.units[u];
    if (unit.kernel->buggy) continue;
    std::vector<double> errors;
    for (const StudyRun& run : measured.runs[u]) errors.push_back(run.largest_error);
    std::sort(errors.begin(), errors.end());
    const auto last = static_cast<double>(errors.size() - 1);
    const double p95 = errors[static_cast<std::size_t>(std::nearbyint(0.95 * last))];
    const auto text = [&](const std::map<std::string, double>& cells, double divisor) {
      const auto cell = cells.find(unit.column);
      return cell == cells.end() ? std::string("-") : fmt::format("{:.4g}", cell->second / divisor);
    };
    table.rows.push_back({unit.kernel->kernel->name, unit.column, text(unit.kernel->hand, 1),
                          text(unit.kernel->calibrated, 1.5), fmt::format("{:.4g}", p95),
                          fmt::format("{:.4g}", errors.back())});
  }
  return table;
}

StudyTable surprises(const Measured& measured) {
  StudyTable table{
      "Red controls and missed bugs (first 40)", "", {"kernel", "case", "message"}, {}};
  for (std::size_t u = 0; u < measured.units.size(); ++u) {
    const StudyUnit& unit = measured.units[u];
    for (const StudyRun& run : measured.runs[u]) {
      const bool is_red = colour(run.kind) == Colour::red;
      const bool missed = unit.kernel->buggy && run.visible && run.visible->judgeable && !is_red;
      if (!missed && !(is_red && !unit.kernel->buggy)) continue;
      if (table.rows.size() >= 40) return table;
      table.rows.push_back(
          {unit.kernel->kernel->name, run.text,
           missed ? fmt::format("missed at {} elements", run.visible->elements) : run.message});
    }
  }
  return table;
}

}  // namespace gate
