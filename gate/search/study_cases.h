// Input strategies of the study, the published seven first, exactly as published.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gate/search/study_corpus.h"
#include "gate/spec/case.h"

namespace gate {

struct StudyStrategy {
  std::string_view name;
  std::string_view profile;  // of every float input
  /// What the dimension named "H" is drawn from instead of the native candidates; empty: native.
  std::vector<std::int64_t> sizes_h;
  std::string_view column;  // the only one; empty: the kernel's native columns
  bool published = true;
  // Published recall and false positives, percent; ports: measured on CPU ports; negative: none.
  double recall = -1, false_positives = -1;
  double ports_recall = -1, ports_false_positives = -1;
  double aware_recall = -1, aware_false_positives = -1;  // ports, NaN-aware
};
const std::vector<StudyStrategy>& all_study_strategies();
const StudyStrategy& study_strategy(std::string_view name);

/// Columns in which a strategy runs this kernel: native ones, or the one it forces.
std::vector<std::string> study_columns(const StudyKernel& kernel, const StudyStrategy& strategy);
/// Case `number`: each dimension drawn independently from its candidates; contiguous tensors.
Case study_case(const StudyKernel& kernel, const std::string& column, const StudyStrategy& strategy,
                std::uint64_t key);

}  // namespace gate
