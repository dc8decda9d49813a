// The part `domains`: scaled, heavy-tailed, cancelling, offset and nearly constant inputs. Controls
// have to stay green there, and outputs that compute nothing have to be rejected.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/search/null_kernel_run.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

struct Domain {
  std::string_view name, profile;
};
constexpr std::array<Domain, 6> domains = {{{"x 1e-3", "study_tiny"},
                                            {"x 1e3", "study_scale_1000"},
                                            {"heavy tails", "study_heavy"},
                                            {"cancelling", "study_cancelling"},
                                            {"offset 1e3", "study_offset1000"},
                                            {"tiny variance", "study_small_variance"}}};

struct DomainUnit {
  const StudyKernel* kernel = nullptr;
  std::string column;
  const Domain* domain = nullptr;
};

struct DomainResult {
  std::int64_t cases = 0, red = 0, grey = 0, unjudgeable = 0, elements = 0;
  double largest_ratio = 0;
  std::vector<NullKernelResult> nulls;
  std::vector<std::string> raw, accused;
};

std::int64_t cases_of(const StudyOptions& options) {
  return std::max<std::int64_t>(2, options.cases / 5);
}

std::vector<Entry> entries_of(const DomainUnit& unit, const StudyOptions& options) {
  const StudyStrategy strategy{unit.domain->name, unit.domain->profile, {}, "", false};
  const std::uint64_t base =
      mix(options.run_seed, stable_hash(fmt::format("domain {} {} {}", unit.kernel->op->name,
                                                    unit.column, unit.domain->profile)));
  std::vector<Entry> entries;
  for (std::int64_t i = 0; i < cases_of(options); ++i) {
    const std::uint64_t key = mix(base, static_cast<std::uint64_t>(i));
    entries.push_back(
        {std::string(unit.domain->name), study_case(*unit.kernel, unit.column, strategy, key), {}});
  }
  return entries;
}

void take(const Judged& judged, DomainResult& result) {
  ++result.cases;
  const Kind kind = judged.verdict.kind;
  if (colour(kind) == Colour::red) ++result.red;
  if (colour(kind) == Colour::grey) ++result.grey;
  result.unjudgeable += judged.verdict.unjudgeable;
  for (const Comparison& comparison : judged.verdict.comparisons) {
    result.largest_ratio = std::max(result.largest_ratio, comparison.largest_ratio);
    result.elements += comparison.elements;
  }
  const std::string text = to_text(judged.test_case);
  result.raw.push_back(StudyJson({{"case", text}, {"kind", std::string(name(kind))}}).dump());
  if (colour(kind) == Colour::red) result.accused.push_back(text + ": " + judged.verdict.text);
}

StudyJson domain_json(const DomainResult& result) {
  StudyJson nulls = StudyJson::array();
  for (const NullKernelResult& each : result.nulls) {
    nulls.push_back({{"name", each.name},
                     {"rejected", each.rejected},
                     {"survived", each.survived},
                     {"not_applicable", each.not_applicable}});
  }
  return {{"cases", result.cases},       {"red", result.red},
          {"grey", result.grey},         {"unjudgeable", result.unjudgeable},
          {"elements", result.elements}, {"largest_ratio", number_json(result.largest_ratio)},
          {"nulls", std::move(nulls)},   {"raw", result.raw},
          {"accused", result.accused}};
}

DomainResult domain_of(const StudyJson& json) {
  DomainResult result;
  result.cases = json["cases"].get<std::int64_t>();
  result.red = json["red"].get<std::int64_t>();
  result.grey = json["grey"].get<std::int64_t>();
  result.unjudgeable = json["unjudgeable"].get<std::int64_t>();
  result.elements = json["elements"].get<std::int64_t>();
  result.largest_ratio = number_of(json["largest_ratio"]);
  for (const StudyJson& each : json["nulls"]) {
    result.nulls.push_back({each["name"].get<std::string>(), each["rejected"].get<std::size_t>(),
                            each["survived"].get<std::size_t>(),
                            each["not_applicable"].get<std::size_t>()});
  }
  result.raw = json["raw"].get<std::vector<std::string>>();
  result.accused = json["accused"].get<std::vector<std::string>>();
  return result;
}

UnitResult run_domain(const DomainUnit& unit, const StudyOptions& options) {
  const Target target = study_target(*unit.kernel, unit.column, options.device);
  Executor executor(target, study_build(target), study_session(), options.profile);
  const std::vector<Entry> entries = entries_of(unit, options);
  DomainResult result;
  std::map<std::size_t, Judged> in_order;
  executor.execute_plan(entries, [&](Judged judged) {
    in_order.emplace(judged.number, std::move(judged));
    return true;
  });
  for (const auto& [number, judged] : in_order) take(judged, result);
  result.nulls = measure_null_kernels(executor, entries);
  return {domain_json(result), result.grey == 0};
}

/// Null kernels over all domains of one (kernel, column); survivors were rejected nowhere.
void add_nulls(const std::vector<NullKernelResult>& from, std::vector<NullKernelResult>& into) {
  if (into.empty()) {
    into = from;
    return;
  }
  for (std::size_t k = 0; k < from.size(); ++k) {
    into[k].rejected += from[k].rejected;
    into[k].survived += from[k].survived;
    into[k].not_applicable += from[k].not_applicable;
  }
}

struct Whole {
  std::map<std::string_view, DomainResult> by_domain;
  std::map<std::pair<int, std::string>, std::vector<NullKernelResult>> nulls;
};

Whole gather(const std::vector<DomainUnit>& units, const std::vector<DomainResult>& results,
             StudyPart& part) {
  Whole whole;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const DomainResult& result = results[u];
    DomainResult& at = whole.by_domain[units[u].domain->name];
    at.cases += result.cases;
    at.red += result.red;
    at.grey += result.grey;
    at.unjudgeable += result.unjudgeable;
    at.elements += result.elements;
    at.largest_ratio = std::max(at.largest_ratio, result.largest_ratio);
    at.accused.insert(at.accused.end(), result.accused.begin(), result.accused.end());
    add_nulls(result.nulls, at.nulls);
    add_nulls(result.nulls, whole.nulls[{units[u].kernel->row, units[u].column}]);
    part.raw.insert(part.raw.end(), result.raw.begin(), result.raw.end());
  }
  return whole;
}

StudyTable null_table(const Whole& whole) {
  StudyTable table{
      "Null kernels: rejected share of cases by domain, percent", "", {"null kernel"}, {}};
  for (const Domain& domain : domains) table.head.emplace_back(domain.name);
  const std::vector<NullKernelResult>& first = whole.by_domain.begin()->second.nulls;
  for (std::size_t k = 0; k < first.size(); ++k) {
    std::vector<std::string> row = {first[k].name};
    for (const Domain& domain : domains) {
      const NullKernelResult& result = whole.by_domain.at(domain.name).nulls[k];
      const Share share{static_cast<std::int64_t>(result.rejected),
                        static_cast<std::int64_t>(result.rejected + result.survived)};
      row.push_back(share.of == 0 ? "-" : fmt::format("{:.1f}", 100 * share.value()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<DomainUnit> units_of(const StudyOptions& options) {
  std::vector<DomainUnit> units;
  for (const StudyKernel& kernel : options.kernels) {
    if (kernel.buggy) continue;
    for (const std::string& column : kernel.op->columns) {
      if (kernel.kernel->entry.count(column) == 0) continue;
      for (const Domain& domain : domains) units.push_back({&kernel, column, &domain});
    }
  }
  return units;
}

StudyTable survivor_table(const Whole& whole, const StudyOptions& options) {
  StudyTable table{"Null kernels that no case of a column rejected",
                   "",
                   {"control", "column", "null kernel"},
                   {}};
  for (const auto& [key, nulls] : whole.nulls) {
    for (const std::string& name : surviving_null_kernels(nulls)) {
      const auto kernel = std::find_if(options.kernels.begin(), options.kernels.end(),
                                       [&](const StudyKernel& k) { return k.row == key.first; });
      table.rows.push_back({kernel->kernel->name, key.second, name});
    }
  }
  return table;
}

}  // namespace

StudyPart study_domains(const StudyOptions& options) {
  const std::vector<DomainUnit> units = units_of(options);
  std::vector<std::string> names;
  for (const DomainUnit& unit : units) {
    names.push_back(fmt::format("{}/{} {} domain {} of {} cases", unit.kernel->op->name,
                                unit.kernel->kernel->name, unit.column, unit.domain->name,
                                cases_of(options)));
  }
  const TakenUnits taken = take_units(options.units, names,
                                      [&](std::size_t i) { return run_domain(units[i], options); });
  if (taken.missing > 0) return unfinished("domains", taken.missing);
  std::vector<DomainResult> results;
  for (const StudyJson& json : taken.results) results.push_back(domain_of(json));
  StudyPart part;
  part.name = "domains";
  part.measured = fmt::format("{} cases per control, column and domain", cases_of(options));
  const Whole whole = gather(units, results, part);
  StudyTable table{"Controls on hard inputs",
                   "",
                   {"domain", "cases", "red", "grey", "largest ratio", "unjudgeable elements"},
                   {}};
  StudyTable accused{"Red controls (first 40)", "", {"domain", "what"}, {}};
  std::int64_t cases = 0, red = 0, grey = 0;
  for (const Domain& domain : domains) {
    const DomainResult& at = whole.by_domain.at(domain.name);
    cases += at.cases;
    red += at.red;
    grey += at.grey;
    table.rows.push_back({std::string(domain.name), std::to_string(at.cases),
                          std::to_string(at.red), std::to_string(at.grey),
                          fmt::format("{:.3f}", at.largest_ratio),
                          fmt::format("{} of {}", at.unjudgeable, at.elements)});
    part.data["domains"].push_back({{"domain", std::string(domain.name)},
                                    {"control_cases", at.cases},
                                    {"control_red", at.red},
                                    {"control_grey", at.grey},
                                    {"largest_ratio", at.largest_ratio}});
    for (const std::string& text : at.accused) {
      if (accused.rows.size() < 40) accused.rows.push_back({std::string(domain.name), text});
    }
  }
  part.data["control_cases"] = cases;
  part.data["control_red"] = red;
  part.data["control_grey"] = grey;
  StudyTable survivors = survivor_table(whole, options);
  part.data["null_survivors"] = survivors.rows.size();
  part.tables = {std::move(table), null_table(whole), std::move(survivors), std::move(accused)};
  return part;
}

}  // namespace gate
