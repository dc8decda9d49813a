// Outcome + Expected + Tolerance -> Verdict.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/cases/plan.h"
#include "gate/oracle/comparison.h"
#include "gate/worker/outcome.h"

namespace gate {

struct Verdict {
  Kind kind = Kind::pass;
  std::string property = "value";
  std::string text;                      // one line: what
  std::vector<Comparison> comparisons;   // per output, of the job that decided
  std::vector<std::int64_t> unwritten;   // elements, of the first output that has any
  bool discriminating = true;            // some element would reject zeros
  std::int64_t unjudgeable = 0;
  std::string input_digest, output_digest;
};

/// Everything the judge reads about one run of one input.
struct JudgeInput {
  const OpSchema& op;
  const std::string& column;
  const Tolerance& tolerance;
  const Case& test_case;
  const Inputs& inputs;
  const Expected& expected;
  const Outcome& outcome;
  const Outcome* second_poison = nullptr;  // same job, other poison: for `unwritten`
};
Verdict judge(const JudgeInput& input);

/// A law relates outputs of the base inputs to outputs of transformed ones.
struct LawRun {
  Inputs transformed;
  /// Element of the base output that element `i` of the transformed output must equal; -1 free.
  std::map<std::string, std::vector<std::int64_t>> base_element;
  int exponent = 0;                        // transformed = base * 2^exponent (scaling law)
  bool bitwise = true;                     // else within both envelopes
};
struct LawFacts {
  std::string name;
  std::string purpose;
};
const std::vector<LawFacts>& all_laws();
/// Nothing where the law does not apply to this case (one row, no room to scale …).
std::optional<LawRun> transform(const std::string& law, const Case& value, const Inputs& base,
                                const OpSchema& op, const KernelSpec& kernel);
/// law_broken with the first differing element, or pass.
Verdict judge_law(const std::string& law, const LawRun& run, const Outcome& base,
                  const Outcome& transformed, const Expected& expected, const OpSchema& op,
                  const std::string& column);

/// Two runs on the same bytes: differing bits where the contract forbids them.
std::optional<std::string> difference(const Outcome& first, const Outcome& second,
                                      const Expected& expected, const OpSchema& op,
                                      const std::string& column);

/// A null kernel: an output that must be rejected by some case (oracle.md section 8).
struct NullKernel {
  std::string name;                        // zeros, poison, constant, copy, previous, permuted …
  /// Fills the outputs in place from inputs and expected; false where it does not apply.
  bool (*fill)(std::vector<Tensor>& outputs, const Inputs& inputs, const Expected& expected,
               const std::vector<Tensor>& previous);
};
const std::vector<NullKernel>& all_null_kernels();

/// A fixed-shape oracle of the field, emulated.
struct FixedShapeRule {
  std::string name;        // kernelbench, kernelbench_v0, tritonbench, geak, geak_rocm, assert_close, paper
  std::string values;      // randn | uniform01
  int draws = 5;
};
const std::vector<FixedShapeRule>& all_fixed_shape_rules();
/// Cases the rule runs (its draws), at [fixed_shape].
std::vector<Case> fixed_shape_cases(const FixedShapeRule& rule, const OpSchema& op,
                                    const KernelSpec& kernel, const std::string& column);
/// Whether the rule accepts this one draw. `expected` is the fp64 reference.
bool fixed_shape_accepts(const FixedShapeRule& rule, const Outcome& outcome,
                         const Expected& expected, const OpSchema& op, const std::string& column);

}  // namespace gate
