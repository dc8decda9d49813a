// Sentences and bounds made of what a row's cases covered.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gate/base/text.h"
#include "gate/report/report.h"

namespace gate {
namespace {

constexpr double doubt = 0.05;  // one-sided: 95 %

/// Probability of at most `failed` failures among `cases` at a failure rate strictly between 0 and
/// 1: terms in logarithms, because the first underflow for thousands of cases.
double at_most(std::int64_t failed, std::int64_t cases, double rate) {
  double term = static_cast<double>(cases) * std::log1p(-rate);
  double sum = std::exp(term);
  for (std::int64_t k = 1; k <= failed; ++k) {
    term += std::log(static_cast<double>(cases - k + 1) / static_cast<double>(k)) + std::log(rate) -
            std::log1p(-rate);
    sum += std::exp(term);
  }
  return sum;
}

/// What a device that ran leaves open, in one clause.
std::string beyond_device(const std::string& device) {
  if (device == "emu") return "no GPU and no GPU compiler took part";
  if (device == "cuda") return "other GPUs, drivers and compilers were not tried";
  return "other machines and compilers were not tried";
}

void add_devices(const Report& report, std::vector<std::string>& lines) {
  std::map<std::string, std::size_t> rows;
  for (const ReportRow& row : report.rows) ++rows[row.device];
  for (const auto& [device, number] : rows) {
    lines.push_back(fmt::format("{} row{} ran on {} only: {}", number, number == 1 ? "" : "s",
                                clean_text(device, 100), beyond_device(device)));
  }
}

void add_slack(const Report& report, std::vector<std::string>& lines) {
  std::map<std::string, RelativeSlack> columns;
  for (const ReportRow& row : report.rows) {
    if (!row.coverage.slack || row.klass != Class::clean) continue;
    const RelativeSlack& slack = *row.coverage.slack;
    const auto [at, fresh] = columns.emplace(row.column, slack);
    if (fresh) continue;
    at->second.median = std::max(at->second.median, slack.median);
    at->second.loosest = std::max(at->second.loosest, slack.loosest);
  }
  std::vector<std::string> parts;
  for (const auto& [column, slack] : columns) {
    parts.push_back(fmt::format("{} {:.2g} ({:.2g} in the loosest case)", clean_text(column, 100),
                                slack.median, slack.loosest));
  }
  if (parts.empty()) return;
  lines.push_back(
      "a relative error of this size in every element would still pass the median "
      "case, of the loosest clean row per column: " +
      join(parts, ", "));
}

/// Rows whose multiplier nobody has measured on correct kernels of different algorithms.
void add_tolerances(const Report& report, std::vector<std::string>& lines) {
  std::set<std::string> columns;
  std::size_t rows = 0;
  for (const ReportRow& row : report.rows) {
    if (row.tolerance != "default") continue;
    ++rows;
    columns.insert(clean_text(row.op + " " + row.column, 100));
  }
  if (rows == 0) return;
  constexpr std::size_t named_max = 12;
  const std::size_t more = columns.size() - std::min(columns.size(), named_max);
  std::vector<std::string> named(columns.begin(), columns.end());
  named.resize(columns.size() - more);
  lines.push_back(
      fmt::format("{} of {} row{} judged by default tolerances, not calibrated ones: {}{}", rows,
                  report.rows.size(), report.rows.size() == 1 ? " is" : "s are", join(named, ", "),
                  more > 0 ? fmt::format(" and {} more", more) : ""));
}

void add_unjudgeable(const Report& report, std::vector<std::string>& lines) {
  std::int64_t elements = 0, unjudgeable = 0;
  for (const ReportRow& row : report.rows) {
    // Foreign reports may hold any number: their sum must not overflow.
    constexpr std::int64_t elements_max = 1'000'000'000'000;
    elements += std::clamp<std::int64_t>(row.coverage.elements, 0, elements_max);
    unjudgeable += std::clamp<std::int64_t>(row.coverage.unjudgeable_elements, 0, elements_max);
  }
  if (unjudgeable == 0) return;
  lines.push_back(fmt::format("{} of {} compared elements have no limit that could judge them",
                              unjudgeable, elements));
}

}  // namespace

double failure_rate_bound(std::int64_t failed, std::int64_t cases) {
  if (cases <= 0 || failed >= cases) return 1;
  if (failed <= 0) return 1 - std::pow(doubt, 1.0 / static_cast<double>(cases));
  double low = static_cast<double>(failed) / static_cast<double>(cases), high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (at_most(failed, cases, middle) > doubt ? low : high) = middle;
  }
  return high;
}

std::int64_t failed_cases(const ReportRow& row) {
  std::int64_t failed = 0;
  for (const CasePoint& point : row.coverage.points) failed += point.failed;
  // A finding without a point (one that does not build) is a failure all the same.
  return std::max<std::int64_t>(failed, row.findings.empty() ? 0 : 1);
}

std::vector<std::string> surviving_null_kernels(const Coverage& coverage) {
  std::vector<std::string> names;
  for (const NullTally& tally : coverage.null_kernels) {
    if (tally.rejected == 0 && tally.survived > 0) names.push_back(tally.name);
  }
  return names;
}

std::vector<std::string> coverage_lines(const Report& report) {
  std::vector<std::string> lines;
  add_devices(report, lines);
  add_slack(report, lines);
  add_tolerances(report, lines);
  add_unjudgeable(report, lines);
  return lines;
}

}  // namespace gate
