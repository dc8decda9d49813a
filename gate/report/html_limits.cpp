// What green does not mean, on the report page: of the run in lines, of each row in numbers.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/report/html_text.h"

namespace gate {
namespace {

std::string axes_html(const Coverage& coverage) {
  std::vector<std::string> parts;
  for (const AxisCoverage& axis : coverage.axes) {
    const std::string legal = fmt::format("legal {} to {}", axis.legal_min, axis.legal_max);
    parts.push_back(axis.sizes == 0
                        ? fmt::format("{}: none tried ({})", axis.name, legal)
                        : fmt::format("{}: {} sizes from {} to {} ({})", axis.name, axis.sizes,
                                      axis.tried_min, axis.tried_max, legal));
  }
  return html_escaped(join(parts, "; "));
}

std::string properties_html(const Coverage& coverage) {
  std::vector<std::string> parts;
  for (const auto& [property, cases] : coverage.properties) {
    parts.push_back(fmt::format("{} {}", property, cases));
  }
  return html_escaped(join(parts, ", "));
}

std::string nulls_html(const Coverage& coverage) {
  std::vector<std::string> rejected, survived;
  for (const NullTally& tally : coverage.null_kernels) {
    (tally.rejected > 0 ? rejected : survived).push_back(tally.name);
  }
  std::string text;
  if (!rejected.empty()) text += "rejected: " + join(rejected, ", ");
  if (!survived.empty()) {
    text += std::string(text.empty() ? "" : "; ") +
            "passed all they were tried on: " + join(survived, ", ");
  }
  return html_escaped(text);
}

std::string slack_html(const Coverage& coverage) {
  if (!coverage.slack) return {};
  const RelativeSlack& slack = *coverage.slack;
  return fmt::format(
      "a relative error of {:.2g} in every element would still pass the median case ({:.2g} the "
      "tightest, {:.2g} the loosest of {})",
      slack.median, slack.tightest, slack.loosest, slack.cases);
}

std::string tolerance_text(const ReportRow& row) {
  if (row.tolerance.empty()) return {};
  if (row.tolerance == "exact") return "exact: any difference is a failure";
  const bool measured = row.tolerance == "calibrated";
  return fmt::format("c = {:g}, {}; largest ratio of this run {:.3g}", row.c,
                     measured ? "calibrated" : "default: not calibrated", row.largest_ratio);
}

std::string row_limits(const ReportRow& row) {
  const Coverage& coverage = row.coverage;
  const std::int64_t failed = failed_cases(row);
  std::string text = fmt::format(
      "<details><summary>{}</summary>\n<dl>\n",
      html_escaped(fmt::format("{}/{} {} on {}", row.op, row.kernel, row.column, row.device)));
  text += html_field("sizes", axes_html(coverage));
  text += html_field("checked", properties_html(coverage));
  text += html_field("never tried", html_escaped(join(coverage.untried, ", "), 8000));
  if (row.cases > 0) {
    text += html_field("failure rate",
                       fmt::format("{} of {} cases failed: up to {:.2f} % is left open (95 %), "
                                   "among cases drawn like these",
                                   failed, row.cases, 100 * failure_rate_bound(failed, row.cases)));
  }
  text += html_field("null kernels", nulls_html(coverage));
  text += html_field("tolerance", html_escaped(tolerance_text(row)));
  text += html_field("slack", slack_html(coverage));
  if (coverage.unjudgeable_elements > 0) {
    text += html_field(
        "unjudgeable",
        fmt::format("{} of {} elements", coverage.unjudgeable_elements, coverage.elements));
  }
  return text + "</dl>\n" + html_list(row.not_shown) + "</details>\n";
}

}  // namespace

std::string html_limits(const Report& report) {
  std::string text = "<h2>What green does not mean</h2>\n" + html_list(coverage_lines(report));
  std::vector<std::string> left;
  for (const auto& [kernel, reason] : report.not_selected) {
    left.push_back("not selected: " + kernel + ": " + reason);
  }
  for (const std::string& test : report.left_out) {
    left.push_back("left out, its plan is only partly selected: " + test);
  }
  text += html_list(left);
  for (const ReportRow& row : report.rows) text += row_limits(row);
  return text;
}

}  // namespace gate
