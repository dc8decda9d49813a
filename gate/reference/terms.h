// Adding up terms: the fp64 value, and what the error of any order of adding needs to know.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <climits>

#include "gate/reference/functions.h"
#include "gate/reference/serial_sum.h"

namespace gate {

/// Multiples of one quantum add exactly in any order while all partial sums stay small enough.
class ExactTerms {
 public:
  ExactTerms(const Arithmetic& arithmetic, bool matrix)
      : bits_(exact_bits(arithmetic, matrix)), least_(2 * arithmetic.underflow) {}
  void add(double term, double magnitude) {
    if (!holds_ || term == 0) return;
    const auto pattern = std::bit_cast<std::uint64_t>(std::abs(term));
    const std::uint64_t mantissa = pattern & ((1ull << 52) - 1);
    const int low = mantissa == 0 ? 52 : std::countr_zero(mantissa);
    const int exponent = static_cast<int>(pattern >> 52) - 1075 + low;
    if (exponent < quantum_) {
      quantum_ = exponent;
      limit_ = std::ldexp(1.0, quantum_ + bits_);
    }
    holds_ = magnitude <= limit_ && limit_ > 0 && std::ldexp(1.0, quantum_) >= least_;
  }
  bool holds() const { return holds_; }

 private:
  int bits_;
  double least_;
  int quantum_ = INT_MAX;
  double limit_ = 0;
  bool holds_ = true;
};

/// One pass over the terms of a sum.
template <ReferenceScalar S>
class Terms {
 public:
  Terms(const Arithmetic& arithmetic, bool matrix)
      : arithmetic_(arithmetic), matrix_(matrix), exact_(arithmetic, matrix) {}

  /// `error` is what the term already carries; `inexact`: the term itself is rounded elsewhere.
  void add(double term, double error = 0) {
    value_ += term;
    if constexpr (std::same_as<S, Tracked>) {
      ++count_;
      errors_ += error;
      if (!std::isfinite(term)) return;
      magnitude_ += std::abs(term);
      serial_.add(term);
      (term < 0 ? negative_ : positive_) = true;
      exact_.add(term, magnitude_);
    }
  }
  double value() const { return value_; }
  double magnitude() const { return magnitude_; }
  /// Every order of adding gives the same bits.
  bool exact() const { return exact_.holds() && errors_ == 0; }

  S result() const {
    if constexpr (std::same_as<S, double>) {
      return value_;
    } else {
      Tracked z{value_, errors_, &arithmetic_};
      if (!exact()) {
        const double factor =
            matrix_ ? matrix_accumulation(arithmetic_, count_) : accumulation(arithmetic_, count_);
        z.error += std::max(factor * magnitude_, serial_.drift(arithmetic_)) +
                   2 * arithmetic_.input_rounding * (matrix_ ? 1 : 0) * magnitude_ +
                   count_ * (matrix_ ? arithmetic_.underflow : arithmetic_.flush);
      }
      // Partial sums of mixed signs may have left the range for good, whatever the total is.
      const bool beyond = magnitude_ + z.error > arithmetic_.largest;
      z.overflow = beyond && std::isfinite(value_);
      const bool lost = beyond && ((positive_ && negative_) || !std::isfinite(value_));
      return tracked_result(z, std::isfinite(errors_) && !lost);
    }
  }

 private:
  const Arithmetic& arithmetic_;
  bool matrix_;
  ExactTerms exact_;
  SerialSum serial_;
  double value_ = 0, magnitude_ = 0, errors_ = 0, count_ = 0;
  bool positive_ = false, negative_ = false;
};

}  // namespace gate
