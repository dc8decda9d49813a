// Accumulators modelled on the CPU: how kernels add up, each with its own roundings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "gate/tensor/dtype.h"

namespace gate {

enum class Summation {
  serial,       // one accumulator
  pairwise,     // a tree, as warps add
  split,        // eight parts, serial, merged serially: split-K
  tensor_core,  // 16 exact products at a time, aligned and truncated to 24 bits with 3 guard bits
  fp8_core,     // 32 products at a time, 14 bits, promoted to fp32 every 128
};

/// Terms are produced on demand: term(i) for 0 <= i < count.
using SuiteTerms = std::function<double(std::int64_t)>;

double suite_sum(std::int64_t count, const SuiteTerms& term, Summation how,
                 DType accumulator = DType::f32);

/// A(n) of oracle.md section 3.
double serial_factor(double n);
double tensor_factor(double n);
double fp8_factor(double n);
/// Of the unit that multiplies matrices of this dtype.
double matrix_factor(DType in, bool tf32, double n);

inline float to_f32(double x) { return static_cast<float>(x); }

}  // namespace gate
