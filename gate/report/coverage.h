// What a row's cases covered and what they could not show: the facts behind "what green does not
// mean". Plain counts; every sentence made of them is a pure function of the report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gate {

struct Report;
struct ReportRow;

struct AxisCoverage {
  std::string name;
  std::int64_t legal_min = 0, legal_max = 0;
  std::int64_t tried_min = 0, tried_max = 0;  // of checked cases; meaningless where sizes is 0
  std::int64_t sizes = 0;                     // distinct sizes checked
  bool operator==(const AxisCoverage&) const = default;
};

/// The cases of one combination of sizes: a dot of a pass/fail map.
struct CasePoint {
  std::vector<std::int64_t> sizes;  // in the order of Coverage::axes
  std::int64_t passed = 0, failed = 0, unchecked = 0;
  bool operator==(const CasePoint&) const = default;
};

/// How an output that computes nothing fared on cases of this row.
struct NullTally {
  std::string name;
  std::int64_t rejected = 0, survived = 0;  // cases
  bool operator==(const NullTally&) const = default;
};

/// The relative error that every element of an output could have and still pass, over the cases:
/// in the tightest, the median and the loosest one.
struct RelativeSlack {
  double tightest = 0, median = 0, loosest = 0;
  std::int64_t cases = 0;  // it was measured on: the plan's first
  bool operator==(const RelativeSlack&) const = default;
};

struct Coverage {
  std::vector<AxisCoverage> axes;                  // of the op, in its order
  std::vector<CasePoint> points;                   // sorted by sizes
  std::int64_t points_left_out = 0;                // beyond what a report holds
  std::map<std::string, std::int64_t> properties;  // property -> cases checked
  std::vector<std::string> untried;                // "law:x", "layout y of x", "column f16" …
  std::int64_t elements = 0, unjudgeable_elements = 0;
  std::vector<NullTally> null_kernels;  // those that applied to some case they were tried on
  std::optional<RelativeSlack> slack;   // absent: no finite element but 0 was compared
  bool operator==(const Coverage&) const = default;
};

/// Upper end of the one-sided 95 % Clopper-Pearson interval: the failure rate that `failed` of
/// `cases` leave open. 1 without cases.
double failure_rate_bound(std::int64_t failed, std::int64_t cases);
/// Red cases of a row.
std::int64_t failed_cases(const ReportRow& row);
/// Null kernels that applied and that no case rejected.
std::vector<std::string> surviving_null_kernels(const Coverage& coverage);
/// Slack, devices and unjudgeable elements of the whole run, one line each.
std::vector<std::string> coverage_lines(const Report& report);

}  // namespace gate
