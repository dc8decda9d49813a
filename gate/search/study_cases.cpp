// The table of strategies and the drawing of cases from it.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_cases.h"

#include "gate/base/check.h"
#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/cases/profiles.h"

namespace gate {

const std::vector<StudyStrategy>& all_study_strategies() {
  static const std::vector<StudyStrategy> table = {
      {"adversarial", "study_adversarial", {}, "", true, 99, 94, 98, 89.6, 46, 10.2},
      {"nan_injected", "study_nan_injected", {}, "", true, 94, 73, 98, 78.1, 54, 2.3},
      {"boundary", "study_uniform", {1, 3, 7}, "", true, 78, 0, 83, 0, 83, 0},
      {"single_dtype_f32", "study_uniform", {}, "f32", true, 74, 0, 77, 0.2, 77, 0.2},
      {"single_dtype_f16", "study_uniform", {}, "f16", true, 74, 2, 72, 0.6, 72, 0.6},
      {"default", "study_uniform", {}, "", true, 71, 0, 72, 0, 72, 0},
      {"regular", "study_uniform", {128, 256, 512}, "", true, 64, 0, 67, 0, 67, 0},
      {"randn", "study_randn", {}, "", false, -1, -1, 79, 0, 79, 0},
      {"boundary_randn", "study_randn", {1, 3, 7}, "", false, -1, -1, 85, 0, 85, 0},
  };
  return table;
}

const StudyStrategy& study_strategy(std::string_view name) {
  for (const StudyStrategy& strategy : all_study_strategies()) {
    if (strategy.name == name) return strategy;
  }
  check(false, "strategies of the study are asked for by a name of the table");
  return all_study_strategies().front();
}

std::vector<std::string> study_columns(const StudyKernel& kernel, const StudyStrategy& strategy) {
  if (strategy.column.empty()) return kernel.columns;
  const std::string column(strategy.column);
  return kernel.kernel->entry.count(column) > 0 ? std::vector{column} : std::vector<std::string>();
}

Case study_case(const StudyKernel& kernel, const std::string& column, const StudyStrategy& strategy,
                std::uint64_t key) {
  const OpSchema& op = *kernel.op;
  Case value;
  value.op = op.name;
  value.column = column;
  value.key = key;
  const std::string profile = profile_text(strategy.profile);
  if (find_profile(profile)->special) value.property = property_special;
  for (const Axis& axis : op.axes) {
    const auto native = kernel.shapes.find(axis.name);
    check(native != kernel.shapes.end(), "study.json gives candidates for every axis");
    const bool changed = axis.name == kernel.dimension_h && !strategy.sizes_h.empty();
    const SizeFactors factors = changed ? SizeFactors{strategy.sizes_h} : native->second;
    RandomStream stream(key, stable_hash("axis " + axis.name));
    std::int64_t size = 1;
    for (const std::vector<std::int64_t>& candidates : factors) {
      size *= candidates[stream.below(candidates.size())];
    }
    value.axes[axis.name] = size;
  }
  for (const Attribute& attribute : op.attributes) {
    value.attributes[attribute.name] = attribute.fallback;
  }
  for (const TensorSchema& input : op.inputs) value.tensors[input.name].profile = profile;
  for (const TensorSchema& output : op.outputs) value.tensors[output.name] = {};
  return value;
}

}  // namespace gate
