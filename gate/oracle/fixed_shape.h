// The fixed-shape oracles of the field, emulated and measured; only KernelBench's current rule
// decides anything (illusion or defect). Facts: oracle.md section 15.
//
// All of them compare with a reference in the run's own dtype: here the fp64 reference rounded once
// to it. Differences are taken in fp64, where torch takes them in the dtype. f64 counts as f32 and
// f8 as bf16 in KernelBench's table; integers and booleans are exact everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/oracle/verdict.h"
#include "gate/spec/kernel_spec.h"

namespace gate {

struct FixedShapeRule {
  std::string name;    // kernelbench, kernelbench_v0, tritonbench, geak, geak_dict …
  std::string values;  // randn | uniform01
  int draws = 5;
  std::string text;  // the rule in words, for reports
};
const std::vector<FixedShapeRule>& all_fixed_shape_rules();
/// Whether the rule is the one that makes an illusion.
bool decides_illusion(const FixedShapeRule& rule);

/// Cases the rule runs (its draws), at [fixed_shape]: contiguous, ascending.
std::vector<Case> fixed_shape_cases(const FixedShapeRule& rule, const OpSchema& op,
                                    const std::string& column);
/// Whether the rule accepts this one draw. Outputs only: no poison, bounds, mutation, determinism.
bool fixed_shape_accepts(const FixedShapeRule& rule, const Outcome& outcome,
                         const Expected& expected);

}  // namespace gate
