// Parts about what a person gets by default: `default_plan`, whether the first 16 entries of the
// plan find each bug, over many run seeds; `fixed_shape`, what the field's usual checks say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include "gate/base/random.h"
#include "gate/oracle/fixed_shape.h"
#include "gate/search/classify.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

constexpr std::size_t first_entries = 16;

struct PlanUnit {
  const StudyKernel* kernel = nullptr;
  std::string column;
};

std::vector<PlanUnit> plan_units(const StudyOptions& options, bool buggy_only) {
  std::vector<PlanUnit> units;
  for (const StudyKernel& kernel : options.kernels) {
    if (buggy_only && !kernel.buggy) continue;
    for (const std::string& column : kernel.op->columns) {
      if (kernel.kernel->entry.count(column) > 0) units.push_back({&kernel, column});
    }
  }
  return units;
}

/// Position of the first red entry for each run seed, from 1; 0: not among the first 16.
std::vector<std::int64_t> first_reds(const PlanUnit& unit, const StudyOptions& options) {
  std::vector<std::int64_t> positions;
  const Target target = study_target(*unit.kernel, unit.column, options.device);
  BuildOutcome build = build_kernel(*target.op, *target.kernel, target.column, target.device);
  Executor executor(target, std::move(build), study_session(), options.profile);
  for (std::int64_t s = 0; s < options.seeds; ++s) {
    PlanOptions plan_options;
    plan_options.run_seed = mix(options.run_seed, static_cast<std::uint64_t>(s));
    plan_options.device = target.device;
    plan_options.profile = options.profile;
    const std::vector<Entry> plan =
        make_plan(*target.op, *target.kernel, target.column, plan_options);
    std::int64_t found = 0;
    for (std::size_t e = 0; e < std::min(plan.size(), first_entries) && found == 0; ++e) {
      const Verdict verdict = executor.execute_again(plan[e].test_case, plan[e].siblings);
      if (colour(verdict.kind) == Colour::red) found = static_cast<std::int64_t>(e) + 1;
    }
    positions.push_back(found);
  }
  return positions;
}

std::int64_t quantile(std::vector<std::int64_t> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(share * last + 0.5)];
}

std::string rule_key(const FixedShapeResult& result) { return result.rule + " " + result.values; }

}  // namespace

StudyPart study_default_plan(const StudyOptions& options) {
  const std::vector<PlanUnit> units = plan_units(options, true);
  std::vector<std::vector<std::int64_t>> positions(units.size());
  std::mutex mutex;
  in_parallel(units.size(), options.jobs, [&](std::size_t i) {
    positions[i] = first_reds(units[i], options);
    const std::lock_guard lock(mutex);
    if (options.progress) {
      options.progress(units[i].kernel->kernel->name + " " + units[i].column);
    }
  });
  StudyPart part;
  part.name = "default_plan";
  part.data = StudyJson::array();
  StudyTable table{"The default plan: found within the first 16 entries",
                   fmt::format("Over {} run seeds, profile pr.", options.seeds),
                   {"bug", "column", "found within 16", "median", "95 %", "largest"},
                   {}};
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::vector<std::int64_t> found;
    for (const std::int64_t position : positions[u]) {
      if (position > 0) found.push_back(position);
    }
    const auto count = static_cast<std::int64_t>(found.size());
    const std::string& kernel = units[u].kernel->kernel->name;
    part.data.push_back(
        {{"kernel", kernel},
         {"column", units[u].column},
         {"device", study_device(*units[u].kernel, options.device)},
         {"seeds", options.seeds},
         {options.seeds == 100 ? "found_within_16_of_100_seeds" : "found_within_16", count},
         {"median_first", quantile(found, 0.5)},
         {"largest_first", quantile(found, 1)}});
    table.rows.push_back({kernel, units[u].column, to_text(Share{count, options.seeds}),
                          std::to_string(quantile(found, 0.5)),
                          std::to_string(quantile(found, 0.95)),
                          std::to_string(quantile(found, 1))});
    part.raw.push_back(
        StudyJson({{"kernel", kernel}, {"column", units[u].column}, {"first_red", positions[u]}})
            .dump());
  }
  part.tables.push_back(std::move(table));
  return part;
}

StudyPart study_fixed_shape(const StudyOptions& options) {
  const std::vector<PlanUnit> units = plan_units(options, false);
  std::vector<std::vector<FixedShapeResult>> results(units.size());
  in_parallel(units.size(), options.jobs, [&](std::size_t i) {
    const Target target = study_target(*units[i].kernel, units[i].column, options.device);
    BuildOutcome build = build_kernel(*target.op, *target.kernel, target.column, target.device);
    Executor executor(target, std::move(build), study_session(), options.profile);
    results[i] = measure_fixed_shape(executor);
  });
  StudyPart part;
  part.name = "fixed_shape";
  StudyTable table{"What fixed-shape checks say of the buggy rows",
                   "Measured at [fixed_shape], all draws of each rule; \"pass\" means the bug got "
                   "through. Published measurement on CPU ports: rows 4 and 6 pass, 2 of 10.",
                   {"bug", "column"},
                   {}};
  std::int64_t rejected_controls = 0, passed_bugs = 0, bugs = 0;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const StudyKernel& kernel = *units[u].kernel;
    StudyJson rules = StudyJson::object();
    std::vector<std::string> row = {kernel.kernel->name, units[u].column};
    for (const FixedShapeResult& result : results[u]) {
      rules[rule_key(result)] = {
          {"passed", result.passed}, {"draws", result.draws}, {"text", result.text}};
      row.push_back(result.passed ? "pass" : "fail");
      if (table.head.size() < results[u].size() + 2) table.head.push_back(rule_key(result));
    }
    const bool passes = illusion_rule_passed(results[u]);
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
