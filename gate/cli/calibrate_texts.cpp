// What `gate calibrate` says about a row: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/calibrate_texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace gate {
namespace {

std::string measured_text(const Calibration& result) {
  std::string text;
  for (const ControlRun& run : result.controls) {
    text += fmt::format("    {} on {}: {} cases, largest ratio {:.3f}\n", run.kernel, run.device,
                        run.cases, run.largest_ratio);
  }
  if (result.controls.empty()) return text;
  const Slack& slack = result.slack;
  text += fmt::format(
      "    would still pass: a relative error of {:.2g} in the middle element, {:.2g} in one of "
      "twenty; {:.0f} % of the limits are mostly the output's own rounding\n",
      slack.median, slack.p95, 100 * slack.rounding_share);
  return text;
}

}  // namespace

bool has_red_control(const Calibration& result) {
  const auto red = [](const ControlRun& run) { return run.red > 0; };
  return std::any_of(result.controls.begin(), result.controls.end(), red) ||
         std::any_of(result.held_out.begin(), result.held_out.end(), red);
}

std::vector<std::string> check_complaints(const Tolerance& committed, const Calibration& result) {
  std::vector<std::string> complaints;
  for (const ControlRun& run : result.controls) {
    if (run.red > 0) complaints.push_back(fmt::format("{} is red: {}", run.kernel, run.first_red));
  }
  if (result.largest_ratio > committed.c) {
    complaints.push_back(fmt::format("a correct kernel needs {:.3f}, committed is c = {}",
                                     result.largest_ratio, committed.c));
  }
  for (const std::string& survivor : result.surviving_null_kernels) {
    complaints.push_back("the null kernel " + survivor + " passes every case");
  }
  if (!result.controls.empty() && is_slack(result.largest_ratio, committed.c, result.slack)) {
    complaints.push_back(
        fmt::format("slack: correct kernels use {:.4f} of c = {}, and the output's own rounding "
                    "dominates only {:.0f} % of the limits",
                    result.largest_ratio, committed.c, 100 * result.slack.rounding_share));
  }
  return complaints;
}

std::string proposal_text(const std::string& title, const Tolerance& committed,
                          const Calibration& result) {
  std::string text = title + "\n" + measured_text(result);
  if (!result.refusals.empty()) {
    for (const std::string& refusal : result.refusals) text += "    refused: " + refusal + "\n";
    return text + fmt::format("    stays: c = {} ({})\n", committed.c, committed.origin);
  }
  text += fmt::format("  - c = {} ({})\n", committed.c, committed.origin);
  return text + fmt::format("  + c = {} (calibrated, largest ratio {:.3f})\n", result.c,
                            result.largest_ratio);
}

std::string check_text(const std::string& title, const Tolerance& committed,
                       const Calibration& result) {
  const std::vector<std::string> complaints = check_complaints(committed, result);
  std::string text =
      fmt::format("{}: {} (c = {})\n{}", title, complaints.empty() ? "fine" : "not fine",
                  committed.c, measured_text(result));
  for (const std::string& complaint : complaints) text += "    " + complaint + "\n";
  return text;
}

}  // namespace gate
