// Runs cases of the study: one kernel run and one reference each, judged by the gate and by every
// other rule on the same bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/search/search.h"
#include "gate/search/study_cases.h"
#include "gate/search/study_models.h"

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
  int jobs = 1;
  Profile profile;  // whose plan `default_plan` draws
  std::function<void(const std::string&)> progress;
};

Target study_target(const StudyKernel& kernel, const std::string& column,
                    const std::string& device);
std::string study_device(const StudyKernel& kernel, const std::string& device);
SessionOptions study_session();

/// Cases of one unit in order. A kernel that cannot be built gives one run of that kind.
std::vector<StudyRun> run_unit(const StudyUnit& unit, std::uint64_t run_seed);
/// All units, on `jobs` threads; results in the order of the units whatever the threads did.
std::vector<std::vector<StudyRun>> run_units(const std::vector<StudyUnit>& units,
                                             const StudyOptions& options);
/// Calls `work` for 0 … count-1 on `jobs` threads.
void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work);

}  // namespace gate
