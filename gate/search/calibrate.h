// Calibration: what correct kernels use of the envelope, and the multiplier c that follows. A row
// is proposed only if nothing speaks against it: the refusals of oracle.md section 10.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gate/search/search.h"

namespace gate {

/// c above which a written reason is asked for; measured at, so that no ratio below is cut off.
inline constexpr double calibration_c_max = 8;
/// Of c: a largest ratio below this share, where final rounding does not dominate, is slack.
inline constexpr double slack_share = 0.02;

/// One correct kernel over a plan.
struct ControlRun {
  std::string kernel, device;
  std::string problem;  // why it could not be run, empty: it was
  double largest_ratio = 0;
  std::int64_t cases = 0, red = 0, unchecked = 0;
  std::string first_red;           // case and what, of the first red one
  std::set<std::string> profiles;  // value profiles of the cases it passed, without versions
};

/// A correct kernel, built, and the plans it is measured and tested on.
struct ControlSubject {
  Target target;
  BuildOutcome build;
  Profile profile;
  std::vector<Entry> plan, held_out;  // of different run seeds
};

/// What the limits of a column mean in units people know, over the elements of a plan.
struct Slack {
  double median = 0, p95 = 0;  // relative error that would still pass: limit / |y|
  double rounding_share = 0;   // elements whose limit is mostly the output's own rounding
};

struct Calibration {
  std::vector<ControlRun> controls;
  std::vector<ControlRun> held_out;  // the same kernels at the proposed c, on other cases
  double largest_ratio = 0;
  double c = 0;  // proposed: max(1, twice the largest ratio), rounded up to a tenth
  std::vector<std::string> surviving_null_kernels;
  Slack slack;                        // at the proposed c
  std::vector<std::string> refusals;  // why the proposal must not be committed
};

/// Measures one (op, column): `subjects` are its correct kernels, of the same column.
/// `reason` is what a person wrote for c above 8 or above the committed one.
Calibration calibrate(const std::vector<ControlSubject>& subjects, const std::string& reason);
/// Refusals that need no measurement: how many subjects, in how many sources.
std::vector<std::string> too_few_controls(const std::vector<const KernelSpec*>& controls);
/// At the executor's own c.
Slack measure_slack(Executor& executor, const std::vector<Entry>& plan);
/// Whether a committed row leaves room that no correct kernel needs.
bool is_slack(double largest_ratio, double c, const Slack& slack);

}  // namespace gate
