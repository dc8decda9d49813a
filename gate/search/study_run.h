// Runs cases of the study: one kernel run and one reference each, judged by the gate and by every
// other rule on the same bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/search/search.h"
#include "gate/search/study_cases.h"
#include "gate/search/study_models.h"
#include "gate/search/study_units.h"

namespace gate {

/// What became of one case.
struct StudyRun {
  std::string text;  // the case, replayable
  Kind kind = Kind::not_checked;
  std::string property;
  std::string message;
  std::vector<bool> rules;         // failed, in the order of all_study_rules()
  std::optional<Visible> visible;  // where the kernel has a model
  std::int64_t elements = 0, unjudgeable = 0;
  double largest_ratio = 0;
  double largest_error = 0;  // |got - reference rounded to the output's dtype|, finite ones
  bool discriminating = false;
};

/// One (kernel, column, strategy) on one device.
struct StudyUnit {
  const StudyKernel* kernel = nullptr;
  std::string column, device;
  const StudyStrategy* strategy = nullptr;
  std::int64_t cases = 0;
};

struct StudyOptions {
  std::vector<StudyKernel> kernels;
  std::string device = "emu";  // of the kernels in CUDA C++; stand-ins run on host
  std::uint64_t run_seed = 0;
  std::string revision;           // of the repository, empty outside one
  std::int64_t cases = 100;       // per (kernel, column, strategy)
  std::int64_t suite_cases = 20;  // per distribution and size of a suite
  std::int64_t seeds = 100;       // run seeds of the default plan
  Profile profile;                // whose plan `default_plan` draws
  std::vector<PlanBug> bugs;      // whose plans those are
  UnitOptions units;
};

Target study_target(const StudyKernel& kernel, const std::string& column,
                    const std::string& device);
std::string study_device(const StudyKernel& kernel, const std::string& device);
SessionOptions study_session();

/// The column of a kernel on its device.
BuildOutcome study_build(const Target& target);

struct UnitRuns {
  std::vector<std::vector<StudyRun>> runs;  // by unit, in the order of the units
  std::size_t missing = 0;                  // pieces of units that the deadline left
};
/// All units, in pieces. A kernel that cannot be built gives one run of that kind in every piece.
UnitRuns run_units(const std::vector<StudyUnit>& units, const StudyOptions& options);

}  // namespace gate
