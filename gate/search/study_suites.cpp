// The part `suites`: thirteen suites of correct algorithms and wrong kernels, at our c and by the
// split form beside it, on the same outputs.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/oracle/element.h"
#include "gate/search/study_part.h"
#include "gate/search/suite.h"

namespace gate {
namespace {

struct Tally {
  std::int64_t cases = 0, ours = 0, split = 0;
};

/// Of one (suite, distribution, size).
struct SuiteResult {
  std::map<std::string, Tally> correct, wrong;  // by algorithm, by fault
  double largest_ratio = 0;
  std::vector<std::string> accused;  // correct kernels that we reject, in words
};

struct SuiteUnit {
  const Suite* suite = nullptr;
  std::string_view distribution;
  std::int64_t n = 0;
  double c = 1;
};

bool fails(const std::vector<double>& got, const SuiteBounds& bounds, const ElementRule& rule) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const ElementState state = state_of(rule, got[i], bounds.value[i], bounds.envelope[i]);
    if (state == ElementState::wrong || state == ElementState::nonfinite) return true;
  }
  return false;
}

double ratio_of(const std::vector<double>& got, const SuiteBounds& bounds,
                const ElementRule& rule) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double t = bounds.envelope[i];
    if (!(t > 0) || !std::isfinite(t) || !std::isfinite(got[i])) continue;
    const double off =
        std::abs(got[i] - bounds.value[i]) - rule.unit * std::abs(bounds.value[i]) - rule.floor;
    largest = std::max(largest, off / ((1 + rule.unit) * t));
  }
  return largest;
}

ElementRule rule_with(DType out, double c) {
  Tolerance tolerance;
  tolerance.c = c;
  return element_rule(out, tolerance, Contract());
}

void judge_case(const SuiteUnit& unit, const SuiteInput& input, SuiteResult& result) {
  const SuiteFamily& family = unit.suite->family;
  const SuiteBounds ours = suite_bounds(family, input), split = family.split(input);
  const ElementRule our_rule = rule_with(input.out, unit.c);
  const ElementRule split_rule = rule_with(input.out, unit.suite->split_c);
  std::vector<std::vector<double>> right;
  for (const SuiteKernel& kernel : family.kernels(input)) {
    const std::vector<double> got = family.run(input, kernel);
    const bool is_correct = kernel.fault == SuiteFault::none;
    // A fault that shows in no bit of this input is no case of it.
    if (!is_correct && std::find(right.begin(), right.end(), got) != right.end()) continue;
    const bool rejected = fails(got, ours, our_rule);
    Tally& tally = is_correct ? result.correct[std::string(kernel.algorithm)]
                              : result.wrong[std::string(name(kernel.fault))];
    ++tally.cases;
    tally.ours += rejected ? 1 : 0;
    tally.split += fails(got, split, split_rule) ? 1 : 0;
    if (!is_correct) continue;
    const double ratio = ratio_of(got, ours, our_rule);
    result.largest_ratio = std::max(result.largest_ratio, ratio);
    if (rejected) {
      result.accused.push_back(fmt::format("{} {} n={}: ratio {:.2f}", kernel.algorithm,
                                           unit.distribution, unit.n, ratio));
    }
    right.push_back(got);
  }
}

StudyJson tallies_json(const std::map<std::string, Tally>& tallies) {
  StudyJson json = StudyJson::object();
  for (const auto& [name, tally] : tallies) json[name] = {tally.cases, tally.ours, tally.split};
  return json;
}

std::map<std::string, Tally> tallies_of(const StudyJson& json) {
  std::map<std::string, Tally> tallies;
  for (const auto& [name, counts] : json.items()) {
    tallies[name] = {counts[0].get<std::int64_t>(), counts[1].get<std::int64_t>(),
                     counts[2].get<std::int64_t>()};
  }
  return tallies;
}

SuiteResult suite_of(const StudyJson& json) {
  return {tallies_of(json["correct"]), tallies_of(json["wrong"]), number_of(json["largest_ratio"]),
          json["accused"].get<std::vector<std::string>>()};
}

UnitResult run_suite(const SuiteUnit& unit, const StudyOptions& options) {
  SuiteResult result;
  const Suite& suite = *unit.suite;
  SuiteInput shape;
  shape.in = suite.in;
  shape.out = suite.out;
  shape.tf32 = suite.tf32;
  shape.n = unit.n;
  const std::string lane = fmt::format("{} {} {}", suite.name, unit.distribution, unit.n);
  for (std::int64_t i = 0; i < options.suite_cases; ++i) {
    const std::uint64_t key =
        mix(mix(options.run_seed, stable_hash(lane)), static_cast<std::uint64_t>(i));
    judge_case(unit, suite.family.draw(shape, unit.distribution, key), result);
  }
  return StudyJson({{"correct", tallies_json(result.correct)},
                    {"wrong", tallies_json(result.wrong)},
                    {"largest_ratio", number_json(result.largest_ratio)},
                    {"accused", result.accused}});
}

/// Our committed c: of the op that names this family in its study.json.
double committed_c(const StudyOptions& options, const Suite& suite) {
  for (const StudyKernel& kernel : options.kernels) {
    if (kernel.suite != suite.family.name) continue;
    const auto row = kernel.tolerances.find(std::string(suite.column));
    if (row != kernel.tolerances.end()) return row->second.c;
  }
  return 1;
}

void fold(std::map<std::string, Tally>& into, const std::map<std::string, Tally>& from) {
  for (const auto& [name, tally] : from) {
    into[name].cases += tally.cases;
    into[name].ours += tally.ours;
    into[name].split += tally.split;
  }
}

Tally sum(const std::map<std::string, Tally>& tallies) {
  Tally total;
  for (const auto& [name, tally] : tallies) {
    total.cases += tally.cases;
    total.ours += tally.ours;
    total.split += tally.split;
  }
  return total;
}

std::string percent(std::int64_t count, std::int64_t of) {
  return of == 0
             ? "-"
             : fmt::format("{:.1f}", 100.0 * static_cast<double>(count) / static_cast<double>(of));
}

/// Mean over wrong kernels, as the published table pools them.
double mean_detection(const std::map<std::string, Tally>& wrong, std::int64_t Tally::*count) {
  double total = 0;
  for (const auto& [name, tally] : wrong) {
    total += static_cast<double>(tally.*count) / static_cast<double>(tally.cases);
  }
  return wrong.empty() ? 0 : total / static_cast<double>(wrong.size());
}

struct SuiteTables {
  StudyTable suites, faults, accused;
};

void add_suite(const SuiteUnit& unit, const SuiteResult& result, SuiteTables& tables,
               StudyPart& part) {
  const Suite& suite = *unit.suite;
  const Tally correct = sum(result.correct), wrong = sum(result.wrong);
  const double ours = mean_detection(result.wrong, &Tally::ours);
  const double split = mean_detection(result.wrong, &Tally::split);
  tables.suites.rows.push_back(
      {std::string(suite.name), std::string(suite.published), fmt::format("{}", unit.c),
       percent(correct.ours, correct.cases), fmt::format("{:.1f}", 100 * ours),
       percent(correct.split, correct.cases), fmt::format("{:.1f}", 100 * split),
       fmt::format("{:.2f}", result.largest_ratio), std::to_string(correct.cases),
       std::to_string(wrong.cases)});
  StudyJson row = {{"suite", std::string(suite.name)},
                   {"c", unit.c},
                   {"split_c", suite.split_c},
                   {"control_cases", correct.cases},
                   {"control_red", correct.ours},
                   {"split_control_red", correct.split},
                   {"detection", ours},
                   {"split_detection", split},
                   {"at_least_split", wrong.ours >= wrong.split && ours >= split},
                   {"largest_ratio", result.largest_ratio}};
  for (const auto& [fault, tally] : result.wrong) {
    row["faults"][fault] = {
        {"cases", tally.cases}, {"detected", tally.ours}, {"split_detected", tally.split}};
    tables.faults.rows.push_back({std::string(suite.name), fault, std::to_string(tally.cases),
                                  percent(tally.ours, tally.cases),
                                  percent(tally.split, tally.cases)});
  }
  for (const std::string& text : result.accused) {
    if (tables.accused.rows.size() < 40) {
      tables.accused.rows.push_back({std::string(suite.name), text});
    }
  }
  part.charts.front().bars.push_back({std::string(suite.name), 100 * ours, 0, 0, 0});
  part.charts.front().bars.push_back({std::string(suite.name), 100 * split, 0, 0, 1});
  part.data["suites"].push_back(std::move(row));
}

SuiteTables blank_tables() {
  return {{"Thirteen suites",
           "Percent. Detection is the mean over wrong kernels, cases in which a fault changes no "
           "bit left out. Published: false positives / detection of the split form in another CPU "
           "simulation. The split form is run beside ours on the same outputs, c = 2 (1 for e4m3).",
           {"suite", "published", "our c", "false positives", "detection",
            "split form: false positives", "split form: detection", "largest ratio",
            "control cases", "wrong cases"},
           {}},
          {"Detection per wrong kernel", "", {"suite", "fault", "cases", "ours", "split form"}, {}},
          {"Correct kernels that were accused", "", {"suite", "what"}, {}}};
}

}  // namespace

StudyPart study_suites(const StudyOptions& options) {
  std::vector<SuiteUnit> units;
  for (const Suite& suite : all_suites()) {
    const double c = committed_c(options, suite);
    for (const std::string_view distribution : suite.family.distributions) {
      for (const std::int64_t n : suite.family.sizes) units.push_back({&suite, distribution, n, c});
    }
  }
  std::vector<std::string> names;
  for (const SuiteUnit& unit : units) {
    names.push_back(fmt::format("suite {}, {}, n={}, {} cases, c={}", unit.suite->name,
                                unit.distribution, unit.n, options.suite_cases, unit.c));
  }
  const TakenUnits taken =
      take_units(options.units, names, [&](std::size_t i) { return run_suite(units[i], options); });
  if (taken.missing > 0) return unfinished("suites", taken.missing);
  std::vector<SuiteResult> results;
  for (const StudyJson& json : taken.results) results.push_back(suite_of(json));
  StudyPart part;
  part.name = "suites";
  part.measured = fmt::format("{} cases per distribution and size", options.suite_cases);
  part.charts.push_back(
      {"suites", "Detection of wrong kernels", {"ours", "split form, c = 2"}, {}});
  SuiteTables tables = blank_tables();
  std::int64_t control_cases = 0, control_red = 0;
  for (const Suite& suite : all_suites()) {
    SuiteResult whole;
    SuiteUnit last;
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (units[u].suite != &suite) continue;
      last = units[u];
      fold(whole.correct, results[u].correct);
      fold(whole.wrong, results[u].wrong);
      whole.largest_ratio = std::max(whole.largest_ratio, results[u].largest_ratio);
      whole.accused.insert(whole.accused.end(), results[u].accused.begin(),
                           results[u].accused.end());
      const Tally correct = sum(results[u].correct), wrong = sum(results[u].wrong);
      part.raw.push_back(StudyJson({{"suite", std::string(suite.name)},
                                    {"distribution", std::string(units[u].distribution)},
                                    {"n", units[u].n},
                                    {"control_cases", correct.cases},
                                    {"control_red", correct.ours},
                                    {"wrong_cases", wrong.cases},
                                    {"detected", wrong.ours},
                                    {"split_detected", wrong.split},
                                    {"largest_ratio", results[u].largest_ratio}})
                             .dump());
    }
    add_suite(last, whole, tables, part);
    control_cases += sum(whole.correct).cases;
    control_red += sum(whole.correct).ours;
  }
  part.data["control_cases"] = control_cases;
  part.data["control_red"] = control_red;
  part.tables = {std::move(tables.suites), std::move(tables.faults), std::move(tables.accused)};
  return part;
}

}  // namespace gate
