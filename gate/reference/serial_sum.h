// What one thread that adds term after term in fp32 really loses on these very terms. Equal terms
// are rounded the same way at every step: a drift that grows with n, not with its root, and that a
// correct kernel may show. Measured on the data, so that nothing is loosened where none drifts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "gate/reference/arithmetic.h"

namespace gate {

class SerialSum {
 public:
  /// Up to here accumulation() is the sure bound: terms below six times their root.
  static constexpr std::int64_t sure_terms = 36;

  void add(double term) {
    ++count_;
    magnitude_ += std::abs(term);
    exact_ += term;
    // volatile-free: the build forbids contraction and excess precision on x86-64.
    rounded_ = static_cast<float>(rounded_ + static_cast<float>(term));
  }
  /// Absolute error that a serial sum may have; 0 where accumulation() is the sure bound already,
  /// and unless sums are made in fp32. Other serial orders (backwards, every k-th term) drift
  /// alike: twice the measured loss covers them, the sure bound ends it.
  double drift(const Arithmetic& arithmetic) const {
    const double lost = std::abs(static_cast<double>(rounded_) - exact_);
    if (arithmetic.unit != 0x1p-24 || count_ <= sure_terms || !std::isfinite(lost)) return 0;
    return std::min(2 * lost, count_ * arithmetic.unit * magnitude_);
  }

 private:
  double exact_ = 0, magnitude_ = 0, count_ = 0;
  float rounded_ = 0;
};

}  // namespace gate
