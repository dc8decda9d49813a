// The part `fixed_shape`: what the field's usual checks say of every row.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "gate/search/classify.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

struct ColumnUnit {
  const StudyKernel* kernel = nullptr;
  std::string column;
};

std::vector<ColumnUnit> column_units(const StudyOptions& options) {
  std::vector<ColumnUnit> units;
  for (const StudyKernel& kernel : options.kernels) {
    for (const std::string& column : kernel.op->columns) {
      if (kernel.kernel->entry.count(column) > 0) units.push_back({&kernel, column});
    }
  }
  return units;
}

std::string rule_key(const FixedShapeResult& result) { return result.rule + " " + result.values; }

UnitResult fixed_shapes(const ColumnUnit& unit, const StudyOptions& options) {
  const Target target = study_target(*unit.kernel, unit.column, options.device);
  Executor executor(target, study_build(target), study_session(), options.profile);
  StudyJson json = StudyJson::array();
  for (const FixedShapeResult& result : measure_fixed_shape(executor)) {
    json.push_back({{"rule", result.rule},
                    {"values", result.values},
                    {"passed", result.passed},
                    {"draws", result.draws},
                    {"text", result.text}});
  }
  return {std::move(json), executor.build().kind == Kind::pass};
}

std::vector<FixedShapeResult> results_of(const StudyJson& json) {
  std::vector<FixedShapeResult> results;
  for (const StudyJson& result : json) {
    results.push_back({result["rule"].get<std::string>(), result["values"].get<std::string>(),
                       result["passed"].get<bool>(), result["text"].get<std::string>(),
                       result["draws"].get<int>()});
  }
  return results;
}

}  // namespace

StudyPart study_fixed_shape(const StudyOptions& options) {
  const std::vector<ColumnUnit> units = column_units(options);
  std::vector<std::string> names;
  for (const ColumnUnit& unit : units) {
    names.push_back(fmt::format("{}/{} {} fixed shape", unit.kernel->op->name,
                                unit.kernel->kernel->name, unit.column));
  }
  const TakenUnits taken = take_units(
      options.units, names, [&](std::size_t i) { return fixed_shapes(units[i], options); });
  if (taken.missing > 0) return unfinished("fixed_shape", taken.missing);
  StudyPart part;
  part.name = "fixed_shape";
  part.measured = fmt::format("{} columns of kernels", units.size());
  StudyTable table{"What fixed-shape checks say of the buggy rows",
                   "Measured at [fixed_shape], all draws of each rule; \"pass\" means the bug got "
                   "through. Published measurement on CPU ports: rows 4 and 6 pass, 2 of 10.",
                   {"bug", "column"},
                   {}};
  std::int64_t rejected_controls = 0, passed_bugs = 0, bugs = 0;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const StudyKernel& kernel = *units[u].kernel;
    const std::vector<FixedShapeResult> results = results_of(taken.results[u]);
    StudyJson rules = StudyJson::object();
    std::vector<std::string> row = {kernel.kernel->name, units[u].column};
    for (const FixedShapeResult& result : results) {
      rules[rule_key(result)] = {
          {"passed", result.passed}, {"draws", result.draws}, {"text", result.text}};
      row.push_back(result.passed ? "pass" : "fail");
      if (table.head.size() < results.size() + 2) table.head.push_back(rule_key(result));
    }
    const bool passes = illusion_rule_passed(results);
    if (!kernel.buggy && !passes) ++rejected_controls;
    if (kernel.buggy) {
      ++bugs;
      passed_bugs += passes ? 1 : 0;
      table.rows.push_back(std::move(row));
    }
    part.data["rows"].push_back({{"kernel", kernel.kernel->name},
                                 {"column", units[u].column},
                                 {"buggy", kernel.buggy},
                                 {"illusion_rule_passed", passes},
                                 {"rules", rules}});
  }
  part.data["buggy_columns"] = bugs;
  part.data["buggy_columns_passed"] = passed_bugs;
  part.data["control_columns_rejected"] = rejected_controls;
  part.tables.push_back(std::move(table));
  return part;
}

}  // namespace gate
