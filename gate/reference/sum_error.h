// What adding up really may lose on these very terms, where the root law of accumulation() does not
// hold: equal terms are rounded the same way at every step, and small terms that meet a large sum
// are swallowed one by one. Measured on the data, so that nothing is loosened where neither
// happens. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gate/reference/arithmetic.h"

namespace gate {

class SumError {
 public:
  /// Up to here accumulation() is the sure bound: terms below six times their root.
  static constexpr double sure_terms = 36;

  /// First pass: every term in order.
  void add(double term) {
    ++count_;
    magnitude_ += std::abs(term);
    exact_ += term;
    // Volatile-free: the build forbids contraction and excess precision on x86-64.
    rounded_ = static_cast<float>(rounded_ + static_cast<float>(term));
  }
  bool needs_second_pass() const { return count_ > sure_terms; }
  /// Second pass: adding a term to a sum loses no more than the term itself, nor more than a grain
  /// of the largest sum there can be. Terms of many grains are rounded this way and that.
  void absorb(const Arithmetic& arithmetic, double term, bool matrix) {
    const double grain = absorbing_unit(arithmetic, matrix) * magnitude_;
    if (!(std::abs(term) <= 8 * grain)) return;
    swallowed_ += std::copysign(std::min(std::abs(term), grain), term);
  }
  double magnitude() const { return magnitude_; }
  /// Absolute error of any order of adding.
  double bound(const Arithmetic& arithmetic, bool matrix) const {
    const double random =
        (matrix ? matrix_accumulation(arithmetic, count_) : accumulation(arithmetic, count_)) *
        magnitude_;
    if (!needs_second_pass()) return random;
    // Other serial orders (backwards, every k-th term) drift alike: twice the measured loss.
    const double lost = std::abs(static_cast<double>(rounded_) - exact_);
    const bool in_f32 = arithmetic.unit == 0x1p-24 && std::isfinite(lost);
    const double drift = in_f32 ? 2 * lost : 0;
    const double sure = count_ * arithmetic.unit * magnitude_;
    const double likely = std::max(random + std::abs(swallowed_), drift);
    return std::max(random, std::min(likely, sure));
  }

 private:
  double exact_ = 0, magnitude_ = 0, count_ = 0, swallowed_ = 0;
  float rounded_ = 0;
};

/// Both passes over `count` terms.
template <class Value>
SumError sum_error(const Arithmetic& arithmetic, bool matrix, std::int64_t count, Value value) {
  SumError error;
  for (std::int64_t i = 0; i < count; ++i) error.add(value(i));
  if (!error.needs_second_pass()) return error;
  for (std::int64_t i = 0; i < count; ++i) error.absorb(arithmetic, value(i), matrix);
  return error;
}

}  // namespace gate
