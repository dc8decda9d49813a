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
  /// Second pass: what a term loses when it meets a sum as large as it can get, or one some binades
  /// below: its rest beyond that sum's last place. The rest is the same wherever the term meets
  /// that binade, so the rests of equal terms add up. Those of small terms do in any case, the ones
  /// that shrink terms and the ones that let them grow each for themselves: in sorted data only one
  /// kind may meet a large sum. Others are as often up as down, unless terms are equal.
  void absorb(const Arithmetic& arithmetic, double term, bool matrix) {
    const double grain = absorbing_unit(arithmetic, matrix) * magnitude_;
    const bool cut = matrix && truncates(arithmetic);
    const bool small = std::abs(term) <= 8 * grain;
    if (cut && !small) return;  // of those, cutting off takes its linear share
    double place = std::ldexp(cut ? 0x1p-23 : 2 * arithmetic.unit, std::ilogb(magnitude_));
    for (int binade = 0; binade < (small ? binades : 2); ++binade) {
      const double rest = rest_of(term, place, cut);
      Rests& rests = rests_[binade];
      (!small ? rests.others : rest * term > 0 ? rests.lost : rests.gained) += rest;
      place /= 2;
    }
  }
  double magnitude() const { return magnitude_; }
  /// Absolute error of any order of adding.
  double bound(const Arithmetic& arithmetic, bool matrix) const {
    const double random =
        (matrix ? matrix_accumulation(arithmetic, count_) : accumulation(arithmetic, count_)) *
        magnitude_;
    if (!needs_second_pass()) return random;
    // Other serial orders (backwards, every k-th term) drift alike: twice what was measured.
    const double lost = std::abs(static_cast<double>(rounded_) - exact_);
    const bool in_f32 = arithmetic.unit == 0x1p-24 && std::isfinite(lost);
    const double drift = in_f32 ? 2 * lost : 0;
    const double sure = count_ * arithmetic.unit * magnitude_;
    const double likely = std::max({random + apart(), apart() + 2 * together(), drift});
    return std::max(random, std::min(likely, sure));
  }

 private:
  static bool truncates(const Arithmetic& arithmetic) {
    return arithmetic.matrix_unit == MatrixUnit::tensor_core && arithmetic.unit <= 0x1p-22;
  }
  /// Beyond the last multiple of a power of two; 0x1.8p52 rounds to whole numbers.
  static double rest_of(double term, double place, bool cut) {
    const double shift = 0x1.8p52 * place;
    double whole = (term + shift) - shift;
    if (cut && std::abs(whole) > std::abs(term)) whole -= std::copysign(place, term);
    return std::isfinite(whole) ? term - whole : 0;
  }
  double apart() const {
    double most = 0;
    for (const Rests& rests : rests_) {
      most = std::max({most, std::abs(rests.lost), std::abs(rests.gained)});
    }
    return most;
  }
  double together() const {
    double most = 0;
    for (const Rests& rests : rests_) most = std::max(most, std::abs(rests.others));
    return most;
  }

  double exact_ = 0, magnitude_ = 0, count_ = 0;
  static constexpr int binades = 4;  // below the largest sum
  struct Rests {
    double lost = 0, gained = 0, others = 0;
  };
  Rests rests_[binades];
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
