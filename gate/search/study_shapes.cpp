// The parts that measure recall against what could be detected at all: `paper_shapes` on the
// published shapes and values, `special` on the published special values.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "gate/search/study_measure.h"
#include "gate/search/study_rules.h"

namespace gate {
namespace {

StudyTable rules_table(const StudyCounts& buggy, const StudyCounts& control,
                       const std::vector<std::vector<std::string>>& published) {
  StudyTable table{"Rules on the same outputs", "", {"rule", "recall", "false positives"}, {}};
  table.rows.push_back({"**the gate**", to_text(buggy.red_share()), to_text(control.red_share())});
  table.rows.push_back(
      {"ceiling: fp64 difference beyond the final rounding", to_text(buggy.ceiling()), "-"});
  for (std::size_t r = 0; r < all_study_rules().size(); ++r) {
    const StudyRule& rule = all_study_rules()[r];
    table.rows.push_back({fmt::format("{}: {}", rule.name, rule.text),
                          to_text(rule_share(buggy, r)), to_text(rule_share(control, r))});
  }
  for (const auto& row : published) table.rows.push_back(row);
  return table;
}

StudyChart chart_of(const Measured& measured, const std::string& name, const std::string& title) {
  StudyChart chart{name, title, {"the gate", "ceiling", "hand tolerance", "calibrated"}, {}};
  for (const StudyUnit& unit : measured.units) {
    const bool first = unit.column == unit.kernel->columns.front() &&
                       unit.strategy == measured.units.front().strategy;
    if (!unit.kernel->buggy || !first) continue;
    const StudyCounts c =
        count(measured, [&](const StudyUnit& other) { return other.kernel == unit.kernel; });
    const std::string& label = unit.kernel->kernel->name;
    const Share shares[] = {c.red_share(), c.ceiling(), rule_share(c, 0), rule_share(c, 2)};
    for (int s = 0; s < 4; ++s) {
      chart.bars.push_back(
          {label, 100 * shares[s].value(), 100 * shares[s].low(), 100 * shares[s].high(), s});
    }
  }
  return chart;
}

StudyJson figures(const StudyCounts& buggy, const StudyCounts& control) {
  const double ceiling = buggy.ceiling().value();
  StudyJson json = {{"recall", buggy.red_share().value()},
                    {"ceiling", ceiling},
                    {"recall_of_ceiling",
                     buggy.visible == 0 ? 0.0 : Share{buggy.detected, buggy.visible}.value()},
                    {"buggy_cases", buggy.cases},
                    {"buggy_red", buggy.red},
                    {"ceiling_cases", buggy.visible},
                    {"missed", buggy.missed},
                    {"left_out", buggy.visible_anywhere - buggy.visible},
                    {"control_cases", control.cases},
                    {"control_red", control.red},
                    {"control_grey", control.grey},
                    {"recall_interval", to_json(buggy.red_share())},
                    {"control_interval", to_json(control.red_share())}};
  for (std::size_t r = 0; r < all_study_rules().size(); ++r) {
    json["rules"][std::string(all_study_rules()[r].name)] = {
        {"recall", to_json(rule_share(buggy, r))},
        {"false_positives", to_json(rule_share(control, r))}};
  }
  return json;
}

bool is_population(const StudyUnit& unit) {
  return unit.kernel->buggy && unit.kernel->in_population;
}
bool is_buggy(const StudyUnit& unit) { return unit.kernel->buggy; }
bool is_control(const StudyUnit& unit) { return !unit.kernel->buggy; }

}  // namespace

StudyPart study_paper_shapes(const StudyOptions& options) {
  const Measured measured = measure(options, {"default"});
  if (measured.missing > 0) return unfinished("paper_shapes", measured.missing);
  const StudyCounts population = count(measured, is_population);
  const StudyCounts all_buggy = count(measured, is_buggy), control = count(measured, is_control);
  StudyPart part;
  part.name = "paper_shapes";
  part.measured = measured_text(options);
  part.data = figures(population, control);
  part.data["all_ten"] = figures(all_buggy, control);
  StudyTable rules = rules_table(
      population, control,
      {{"*published*: hand tolerances, RTX 3060", "1805/2467 73.2 %", "0/1882 0 %"},
       {"*published*: calibrated tolerances, RTX 3060", "2034/2467 82.4 %", "20/1882 1.1 %"}});
  rules.title = "Population of seven buggy rows, published shapes, U[-10,10)";
  rules.text =
      "Recall is the share of buggy cases that turn red. The ceiling is the share whose fp64 "
      "result "
      "differs from the right one by more than the final rounding; a smaller difference shows now "
      "and then, where it rounds to the other side.";
  part.tables.push_back(std::move(rules));
  StudyTable ten = rules_table(all_buggy, control, {});
  ten.title = "All ten buggy rows";
  part.tables.push_back(std::move(ten));
  part.tables.push_back(buggy_table(measured));
  part.tables.push_back(gpu_table(measured));
  part.tables.push_back(control_table(measured));
  part.tables.push_back(calibration_table(measured));
  part.tables.push_back(surprises(measured));
  part.charts.push_back(
      chart_of(measured, "paper_shapes", "Detected, published shapes and values"));
  add_raw(measured, part);
  return part;
}

StudyPart study_special(const StudyOptions& options) {
  const Measured measured = measure(options, {"nan_injected", "adversarial"});
  if (measured.missing > 0) return unfinished("special", measured.missing);
  const StudyCounts buggy = count(measured, is_buggy), control = count(measured, is_control);
  StudyPart part;
  part.name = "special";
  part.measured = measured_text(options);
  part.data = figures(buggy, control);
  for (const std::string_view name : {"nan_injected", "adversarial"}) {
    const StudyStrategy& strategy = study_strategy(name);
    const auto of = [&](bool wanted) {
      return count(measured, [&](const StudyUnit& unit) {
        return unit.strategy == &strategy && unit.kernel->buggy == wanted;
      });
    };
    const StudyCounts b = of(true), c = of(false);
    part.data[std::string(name)] = figures(b, c);
    StudyTable rules = rules_table(
        b, c,
        {{"*published*: hand tolerance", fmt::format("{:.0f} %", strategy.recall),
          fmt::format("{:.0f} %", strategy.false_positives)},
         {"*published*, CPU ports, NaN-aware", fmt::format("{:.0f} %", strategy.aware_recall),
          fmt::format("{:.1f} %", strategy.aware_false_positives)}});
    rules.title = fmt::format("{}: ten bugs, all controls", name);
    rules.text =
        "The ceiling counts cases whose fp64 result differs in class, or by more than the final "
        "rounding, at an element that can be judged: where fp32 intermediates leave their range, "
        "or a NaN may be missed, a correct kernel is not defined. Cases that differ only there are "
        "left out.";
    part.tables.push_back(std::move(rules));
  }
  part.tables.push_back(buggy_table(measured));
  part.tables.push_back(control_table(measured));
  part.tables.push_back(surprises(measured));
  part.charts.push_back(chart_of(measured, "special", "Detected, published special values"));
  add_raw(measured, part);
  return part;
}

}  // namespace gate
