// The arithmetic a correct kernel may use, as plain numbers: roundoffs, underflow, accumulation.
// Plain on purpose: it crosses the C boundary of plug-ins. Formulas: knowledge oracle.md, 3.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gate {

/// What multiplies matrices: decides how products are added up.
enum class MatrixUnit : std::int32_t { scalar_cores, tensor_core, fp8_tensor_core };

struct Arithmetic {
  double unit = 0x1p-24;             // roundoff of every operation and of reductions
  double largest = 0x1.fffffep+127;  // results beyond it overflow
  double underflow = 0x1p-150;       // absolute error of a product or quotient that underflows
  double flush = 0;                  // absolute error of a sum: 0, or the normal minimum
  double stored_unit = 0;            // roundoff of intermediates stored low, 0: not stored
  double stored_underflow = 0;
  double input_rounding = 0;  // inputs of matrix products rounded inside: tf32
  MatrixUnit matrix_unit = MatrixUnit::scalar_cores;
  std::int32_t fast_math = 0;  // intrinsics of documented, lower accuracy are legal
};

/// A sum of n terms, in any order, errs by at most accumulation(n) times the sum of |terms|.
/// Six standard deviations of a random walk, or the sure bound where that is smaller.
inline double accumulation(const Arithmetic& arithmetic, double terms) {
  return terms <= 0 ? 0 : std::min(terms, 6 * std::sqrt(terms)) * arithmetic.unit;
}

/// The same for sums of products that tensor cores may form: their adds truncate, which is a
/// bias and therefore linear in the number of steps (16 terms each).
inline double matrix_accumulation(const Arithmetic& arithmetic, double terms) {
  const double scalar = accumulation(arithmetic, terms);
  if (terms <= 0 || arithmetic.matrix_unit == MatrixUnit::scalar_cores) return scalar;
  if (arithmetic.matrix_unit == MatrixUnit::tensor_core) {
    return std::max((std::ceil(terms / 16) + 1) * 0x1p-22, scalar);
  }
  constexpr double promotion = 128;  // fp8: adds keep about 13 bits until promoted to f32
  const double promoted = 6 * std::sqrt(std::max(terms / promotion, 1.0)) * 0x1p-24;
  return std::max((std::min(terms, promotion) + 5) * 0x1p-13 + promoted, scalar);
}

/// Share of a large sum below which an added term may vanish.
inline double absorbing_unit(const Arithmetic& arithmetic, bool matrix) {
  const bool truncates = matrix && arithmetic.matrix_unit == MatrixUnit::tensor_core;
  return truncates ? std::max(0x1p-22, arithmetic.unit) : arithmetic.unit;
}

/// Sums of multiples of a quantum are exact in any order while they stay below 2^bits quanta.
inline int exact_bits(const Arithmetic& arithmetic, bool matrix) {
  if (matrix && arithmetic.matrix_unit == MatrixUnit::fp8_tensor_core) return 13;
  const int bits = -std::ilogb(arithmetic.unit);
  if (matrix && arithmetic.input_rounding > 0) return std::min(bits, 11);
  if (matrix && arithmetic.matrix_unit == MatrixUnit::tensor_core) return std::min(bits, 22);
  return bits;
}

}  // namespace gate
