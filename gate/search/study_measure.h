// Units of one or more strategies run and kept, and what the parts show of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/search/study_part.h"

namespace gate {

struct Measured {
  std::vector<StudyUnit> units;
  std::vector<std::vector<StudyRun>> runs;  // by unit
  std::size_t missing = 0;                  // pieces that the deadline left
};
Measured measure(const StudyOptions& options, const std::vector<std::string_view>& strategies);

using Which = std::function<bool(const StudyUnit&)>;
StudyCounts count(const Measured& measured, const Which& which);
Share rule_share(const StudyCounts& counts, std::size_t rule);
void add_raw(const Measured& measured, StudyPart& part);

StudyTable buggy_table(const Measured& measured);
/// The first paper's failing cases on each GPU beside ours with its tolerances.
StudyTable gpu_table(const Measured& measured);
StudyTable control_table(const Measured& measured);
/// The calibration paper's cells: 95th percentile of the largest absolute error per case.
StudyTable calibration_table(const Measured& measured);
/// What needs a look: control cases that are red, visible bugs that are not.
StudyTable surprises(const Measured& measured);

}  // namespace gate
