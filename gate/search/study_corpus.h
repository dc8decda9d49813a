// The corpus as the study sees it: what testcases/<op>/study.json says of an op's kernels. Shapes,
// absolute tolerances and figures are those that were published; nothing here is ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/spec/read.h"

namespace gate {

/// Sizes of one axis: a factor drawn from each list, multiplied.
using SizeFactors = std::vector<std::vector<std::int64_t>>;

struct StudyKernel {
  const OpSchema* op = nullptr;
  const KernelSpec* kernel = nullptr;
  std::map<std::string, Tolerance> tolerances;  // ours, by column
  int row = 0;                                  // of the published table
  bool buggy = false;
  bool in_population = false;        // of the calibration paper's seven buggy rows
  std::vector<std::string> columns;  // native ones
  std::map<std::string, SizeFactors> shapes;
  std::string dimension_h;                   // the axis that shape strategies change; empty: none
  std::map<std::string, double> hand;        // column -> absolute tolerance
  std::map<std::string, double> calibrated;  // column -> absolute tolerance, where there is one
  std::string suite;                         // family of suites whose c is this op's; empty: none
  std::string published;                     // JSON text of its figures, "{}" if none
};

/// A column of a kernel that is expected to be found wrong.
struct PlanBug {
  const OpSchema* op = nullptr;
  const KernelSpec* kernel = nullptr;
  std::string column;
  Tolerance tolerance;
};
/// Bugs of a corpus, by what its kernels expect.
std::vector<PlanBug> read_plan_bugs(const Catalogue& catalogue, const std::string& corpus);

/// Kernels that some study.json lists, ordered by row.
Result<std::vector<StudyKernel>> read_study_corpus(const Catalogue& catalogue);

}  // namespace gate
