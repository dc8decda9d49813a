// Coverage as JSON, both ways. A point is one text, "rows=1 cols=2 passed=3 failed=1 unchecked=0":
// a report with thousands of points stays readable and small.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/coverage_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::size_t text_bytes_max = 500;
constexpr std::array<std::string_view, 3> outcomes = {"passed", "failed", "unchecked"};

OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(number_text(value));
}

OrderedJson texts(const std::vector<std::string>& values) {
  OrderedJson list = OrderedJson::array();
  for (const std::string& value : values) list.push_back(clean_text(value, text_bytes_max));
  return list;
}

OrderedJson axes_json(const Coverage& coverage) {
  OrderedJson axes = OrderedJson::array();
  for (const AxisCoverage& axis : coverage.axes) {
    axes.push_back({{"name", axis.name},
                    {"legal_min", axis.legal_min},
                    {"legal_max", axis.legal_max},
                    {"tried_min", axis.tried_min},
                    {"tried_max", axis.tried_max},
                    {"sizes", axis.sizes}});
  }
  return axes;
}

OrderedJson points_json(const Coverage& coverage) {
  OrderedJson points = OrderedJson::array();
  for (const CasePoint& point : coverage.points) {
    std::string text;
    for (std::size_t i = 0; i < point.sizes.size(); ++i) {
      text += fmt::format("{}={} ", coverage.axes[i].name, point.sizes[i]);
    }
    points.push_back(fmt::format("{}passed={} failed={} unchecked={}", text, point.passed,
                                 point.failed, point.unchecked));
  }
  return points;
}

/// The reverse; nothing for a text of another form.
std::optional<CasePoint> point_of(const std::string& text, const std::vector<AxisCoverage>& axes) {
  const std::vector<std::string> parts = split(text, ' ');
  if (parts.size() != axes.size() + outcomes.size()) return std::nullopt;
  CasePoint point;
  std::array<std::int64_t, outcomes.size()> cases{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_axis = i < axes.size();
    const std::string_view name = is_axis ? axes[i].name : outcomes[i - axes.size()];
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos || parts[i].substr(0, equals) != name) return std::nullopt;
    const auto value = parse_integer(parts[i].substr(equals + 1));
    if (!value || *value < 0) return std::nullopt;
    if (is_axis) {
      point.sizes.push_back(*value);
    } else {
      cases[i - axes.size()] = *value;
    }
  }
  point.passed = cases[0];
  point.failed = cases[1];
  point.unchecked = cases[2];
  return point;
}

bool is_axis_name(const std::string& text) {
  return !text.empty() && text.size() <= 100 &&
         std::all_of(text.begin(), text.end(), [](unsigned char letter) {
           return std::isalnum(letter) != 0 || letter == '_';
         });
}

void read_axes(StrictObject& object, Coverage& coverage) {
  for (StrictObject& axis : object.objects("axes")) {
    AxisCoverage result;
    result.name = axis.text("name");
    if (!is_axis_name(result.name)) axis.problem("name", "an axis name is expected");
    result.legal_min = axis.integer("legal_min");
    result.legal_max = axis.integer("legal_max");
    result.tried_min = axis.integer("tried_min");
    result.tried_max = axis.integer("tried_max");
    result.sizes = axis.integer("sizes");
    axis.done();
    coverage.axes.push_back(std::move(result));
  }
}

}  // namespace

OrderedJson coverage_json(const ReportRow& row) {
  const Coverage& coverage = row.coverage;
  OrderedJson properties = OrderedJson::object();
  for (const auto& [property, cases] : coverage.properties) {
    properties[clean_text(property, text_bytes_max)] = cases;
  }
  OrderedJson nulls = OrderedJson::array();
  for (const NullTally& tally : coverage.null_kernels) {
    nulls.push_back({{"name", clean_text(tally.name, text_bytes_max)},
                     {"rejected", tally.rejected},
                     {"survived", tally.survived}});
  }
  OrderedJson slack = OrderedJson::object();
  if (coverage.slack) {
    slack = {{"tightest", number(coverage.slack->tightest)},
             {"median", number(coverage.slack->median)},
             {"loosest", number(coverage.slack->loosest)},
             {"cases", coverage.slack->cases}};
  }
  const std::int64_t failed = failed_cases(row);
  return {{"axes", axes_json(coverage)},
          {"points", points_json(coverage)},
          {"points_left_out", coverage.points_left_out},
          {"properties", std::move(properties)},
          {"untried", texts(coverage.untried)},
          {"elements", coverage.elements},
          {"unjudgeable_elements", coverage.unjudgeable_elements},
          {"null_kernels", std::move(nulls)},
          {"slack", std::move(slack)},
          {"failure_rate",
           {{"failed", failed},
            {"cases", row.cases},
            {"bound_95", number(failure_rate_bound(failed, row.cases))}}}};
}

Coverage read_coverage(StrictObject object) {
  Coverage coverage;
  read_axes(object, coverage);
  for (const std::string& text : object.texts("points")) {
    std::optional<CasePoint> point = point_of(text, coverage.axes);
    if (!point) {
      object.problem("points",
                     "sizes and counts are expected, as in rows=1 passed=1 failed=0 "
                     "unchecked=0");
      break;
    }
    coverage.points.push_back(std::move(*point));
  }
  coverage.points_left_out = object.integer("points_left_out");
  StrictObject properties = object.object("properties");
  for (const std::string& key : properties.keys()) {
    coverage.properties[clean_text(key, text_bytes_max)] = properties.integer(key);
  }
  coverage.untried = object.texts("untried");
  coverage.elements = object.integer("elements");
  coverage.unjudgeable_elements = object.integer("unjudgeable_elements");
  for (StrictObject& tally : object.objects("null_kernels")) {
    NullTally result;
    result.name = tally.text("name");
    result.rejected = tally.integer("rejected");
    result.survived = tally.integer("survived");
    tally.done();
    coverage.null_kernels.push_back(std::move(result));
  }
  StrictObject slack = object.object("slack");
  if (!slack.keys().empty()) {
    coverage.slack = RelativeSlack{slack.number("tightest"), slack.number("median"),
                                   slack.number("loosest"), slack.integer("cases")};
  }
  object.ignore("failure_rate");  // recomputed from what was read, never believed
  object.done();
  return coverage;
}

}  // namespace gate
