// Suites: correct algorithms and wrong kernels of four numeric families, modelled on the CPU with
// their accumulators, judged by our envelopes and by the split form they were derived from, on the
// very same outputs. oracle.md section 12. Families are numerics, not ops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/reference/call.h"
#include "gate/tensor/dtype.h"

namespace gate {

/// What is wrong with a kernel.
enum class SuiteFault {
  none,
  last_term,  // dropped
  last_tile,  // dropped
  term_doubled,
  low_accumulator,  // accumulator in the input dtype
  other_row,        // the neighbour's
  scale_missing,
  root_missing,
  epsilon_missing,
  maximum_kept,  // not subtracted before exp
  no_rescale,    // when the running maximum rises
  mean_of_v,
  p_in_e4m3,
  cancelling_variance,  // E[x^2] - E[x]^2
  zeros,
};
std::string_view name(SuiteFault fault);

/// Inputs of one case, quantised. Families use what they need: rows of `a`; `b` the other factor or
/// the keys; `v` the values.
struct SuiteInput {
  DType in = DType::f32, out = DType::f32;
  bool tf32 = false;
  double eps = 1e-5;
  std::int64_t rows = 1, n = 1, d = 1;
  std::vector<double> a, b, v;
};

/// An algorithm of a family: number of a correct one (fault none), or a fault on the first.
struct SuiteKernel {
  std::string_view algorithm;
  int number = 0;
  SuiteFault fault = SuiteFault::none;
};

struct SuiteBounds {
  std::vector<double> value, envelope;
};

struct SuiteFamily {
  std::string_view name;
  std::vector<std::string_view> distributions;
  std::vector<std::int64_t> sizes;
  SuiteInput (*draw)(const SuiteInput& shape, std::string_view distribution, std::uint64_t key);
  std::vector<SuiteKernel> (*kernels)(const SuiteInput& shape);
  /// Outputs, rounded to the output dtype.
  std::vector<double> (*run)(const SuiteInput& input, const SuiteKernel& kernel);
  /// Ours: a reference on tracked scalars.
  void (*ours)(const ReferenceCall* call);
  /// Closed forms of oracle.md, sections 3 and 4, without anything we added since.
  SuiteBounds (*split)(const SuiteInput& input);
};
const SuiteFamily& suite_dot();
const SuiteFamily& suite_softmax();
const SuiteFamily& suite_layernorm();
const SuiteFamily& suite_attention();

/// One of the thirteen.
struct Suite {
  std::string_view name;
  const SuiteFamily& family;
  DType in, out;
  bool tf32;
  double split_c;              // 2, and 1 where the published table says so
  std::string_view column;     // of the tolerance that is ours
  std::string_view published;  // false positives / detection of the split form, percent
};
const std::vector<Suite>& all_suites();

/// Value and envelope of our reference on this input.
SuiteBounds suite_bounds(const SuiteFamily& family, const SuiteInput& input);

}  // namespace gate
