// What `gate calibrate` says about a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/search/calibrate.h"
#include "gate/spec/tolerance.h"

namespace gate {

bool has_red_control(const Calibration& result);
/// What is wrong with a committed row by this measurement; empty: nothing.
std::vector<std::string> check_complaints(const Tolerance& committed, const Calibration& result);
std::string proposal_text(const std::string& title, const Tolerance& committed,
                          const Calibration& result);
std::string check_text(const std::string& title, const Tolerance& committed,
                       const Calibration& result);

}  // namespace gate
