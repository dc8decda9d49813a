// Adding up terms: the fp64 value, and the error of adding them in any order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <climits>

#include "gate/reference/functions.h"
#include "gate/reference/sum_error.h"

namespace gate {

/// Multiples of one quantum add exactly in any order while all partial sums stay small enough.
class ExactTerms {
 public:
  ExactTerms(const Arithmetic& arithmetic, bool matrix)
      : bits_(exact_bits(arithmetic, matrix)), least_(2 * arithmetic.underflow) {}
  void add(double term) {
    if (term == 0) return;
    const auto pattern = std::bit_cast<std::uint64_t>(std::abs(term));
    const std::uint64_t mantissa = pattern & ((1ull << 52) - 1);
    const int low = mantissa == 0 ? 52 : std::countr_zero(mantissa);
    const int exponent = static_cast<int>(pattern >> 52) - 1075 + low;
    if (exponent < quantum_) {
      quantum_ = exponent;
      limit_ = std::ldexp(1.0, quantum_) >= least_ ? std::ldexp(1.0, quantum_ + bits_) : 0;
    }
    magnitude_ += std::abs(term);
    holds_ = magnitude_ <= limit_;  // never for NaN and infinity
  }
  bool holds() const { return holds_; }

 private:
  int bits_;
  double least_;
  int quantum_ = INT_MAX;
  double limit_ = 0, magnitude_ = 0;
  bool holds_ = true;
};

/// What is added: `count` terms, each with the error it already carries.
template <class Value, class Error>
struct TermList {
  std::int64_t count = 0;
  Value value;          // double(std::int64_t)
  Error error;          // double(std::int64_t)
  bool matrix = false;  // products that a matrix unit may form
};

struct TermSums {
  double value = 0, magnitude = 0;
};

/// In four lanes, for speed; the same order for every scalar.
template <class Value>
TermSums term_sums(std::int64_t count, Value value) {
  double sums[4] = {}, magnitudes[4] = {};
  const std::int64_t whole = count - count % 4;
  for (std::int64_t i = 0; i < whole; i += 4) {
    for (int lane = 0; lane < 4; ++lane) {
      const double term = value(i + lane);
      sums[lane] += term;
      magnitudes[lane] += std::abs(term);
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    sums[0] += value(i);
    magnitudes[0] += std::abs(value(i));
  }
  return {(sums[0] + sums[1]) + (sums[2] + sums[3]),
          (magnitudes[0] + magnitudes[1]) + (magnitudes[2] + magnitudes[3])};
}

template <class List>
bool adds_exactly(const Arithmetic& arithmetic, const List& list) {
  ExactTerms exact(arithmetic, list.matrix);
  for (std::int64_t i = 0; i < list.count && exact.holds(); ++i) exact.add(list.value(i));
  return exact.holds();
}

/// Whether some order of adding may leave the range for good although the total does not.
template <class List>
bool order_decides(const Arithmetic& arithmetic, const List& list, double total) {
  double finite = 0;
  bool negative = false, positive = false;
  for (std::int64_t i = 0; i < list.count; ++i) {
    const double term = list.value(i);
    if (!std::isfinite(term)) continue;
    finite += std::abs(term);
    (term < 0 ? negative : positive) = true;
  }
  const bool beyond = finite * (1 + 2 * list.count * arithmetic.unit) > arithmetic.largest;
  return beyond && ((positive && negative) || !std::isfinite(total));
}

template <ReferenceScalar S, class Value, class Error>
S add_terms(const Arithmetic& arithmetic, const TermList<Value, Error>& list) {
  const TermSums sums = term_sums(list.count, list.value);
  if constexpr (std::same_as<S, double>) {
    return sums.value;
  } else {
    double errors = 0;
    for (std::int64_t i = 0; i < list.count; ++i) errors += list.error(i);
    Tracked z{sums.value, errors, &arithmetic};
    if (errors > 0 || !adds_exactly(arithmetic, list)) {
      const auto count = static_cast<double>(list.count);
      const SumError summed = sum_error(arithmetic, list.matrix, list.count, list.value);
      z.error += summed.bound(arithmetic, list.matrix) +
                 (list.matrix ? 2 * arithmetic.input_rounding : 0) * sums.magnitude +
                 count * (list.matrix ? arithmetic.underflow : arithmetic.flush);
    }
    const bool beyond = !(sums.magnitude + z.error <= arithmetic.largest);
    z.overflow = beyond && std::isfinite(sums.value);
    const bool lost = beyond && order_decides(arithmetic, list, sums.value);
    return tracked_result(z, std::isfinite(errors) && !lost);
  }
}

}  // namespace gate
