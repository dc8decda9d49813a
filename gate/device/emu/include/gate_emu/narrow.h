// 16-bit and 8-bit floating point formats: conversion both ways, in integers, any rounding mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/convert.h"

namespace gate_emu {

/// mantissa and exponent bits of a format with infinities and NaN (half 10/5, bfloat16 7/8).
template <int mantissa, int exponent>
struct Narrow {
  static constexpr int bias = (1 << (exponent - 1)) - 1;
  static constexpr unsigned infinity = ((1u << exponent) - 1) << mantissa;
  static constexpr unsigned sign_bit = 1u << (mantissa + exponent);
  static constexpr unsigned nan_bits = sign_bit - 1;  // what the hardware returns

  /// significand · 2^scale with `sticky` below it, rounded once.
  static unsigned round(bool negative, unsigned long long significand, int scale, Rounding mode) {
    const unsigned sign = negative ? sign_bit : 0;
    if (significand == 0) return sign;
    const int top = 63 - __builtin_clzll(significand);
    int unit = top + scale - mantissa;  // exponent of the last kept bit
    const int unit_min = 1 - bias - mantissa;
    if (unit < unit_min) unit = unit_min;
    const int shift = unit - scale;
    unsigned long long kept_bits = 0, rest = 0, half = 0;
    if (shift <= 0) {
      kept_bits = significand << -shift;
    } else if (shift < 64) {
      kept_bits = significand >> shift;
      rest = significand & ((1ull << shift) - 1);
      half = 1ull << (shift - 1);
    } else {
      rest = 1;
      half = 2;
    }
    const bool up = mode == Rounding::rn   ? rest > half || (rest == half && (kept_bits & 1) != 0)
                    : mode == Rounding::rd ? negative && rest != 0
                    : mode == Rounding::ru ? !negative && rest != 0
                                           : false;
    kept_bits += up;
    if (kept_bits >> (mantissa + 1) != 0) {
      kept_bits >>= 1;
      ++unit;
    }
    if (kept_bits >> mantissa == 0) return sign | static_cast<unsigned>(kept_bits);
    const int biased = unit + mantissa + bias;
    if (biased >= (1 << exponent) - 1) {
      const bool to_infinity = mode == Rounding::rn || (mode == Rounding::rd && negative) ||
                               (mode == Rounding::ru && !negative);
      return sign | (to_infinity ? infinity : infinity - 1);
    }
    return sign | static_cast<unsigned>(biased) << mantissa |
           (static_cast<unsigned>(kept_bits) & ((1u << mantissa) - 1));
  }

  static unsigned from_double(double v, Rounding mode) {
    const auto word = bits<unsigned long long>(v);
    const bool negative = word >> 63 != 0;
    const int field = static_cast<int>(word >> 52 & 0x7ff);
    const unsigned long long fraction = word & ((1ull << 52) - 1);
    if (field == 0x7ff) {
      return fraction != 0 ? nan_bits : (negative ? sign_bit : 0) | infinity;
    }
    return field == 0 ? round(negative, fraction, -1074, mode)
                      : round(negative, fraction | 1ull << 52, field - 1075, mode);
  }

  template <class I>
  static unsigned from_integer(I v, Rounding mode) {
    const bool negative = v < 0;
    const auto word = static_cast<unsigned long long>(v);
    return round(negative, negative ? 0 - word : word, 0, mode);
  }
};

template <class T>
inline T with_bits(unsigned word) {
  T result;
  result.__x = static_cast<unsigned short>(word);
  return result;
}
template <class T>
T narrowed(float v);
template <class T>
T narrowed_double(double v);

/// a·b + c for 16-bit formats, rounded to odd in double: one more rounding gives the exact result.
inline double fused_odd(double a, double b, double c) {
  const double product = kept(a * b);  // exact: at most 22 bits
  const double sum = kept(product + c);
  const double tail = kept(sum - product);
  const double error = kept((product - kept(sum - tail)) + (c - tail));
  if (error == 0.0 || error != error) return sum;
  auto word = bits<long long>(sum);
  if ((word & 1) != 0) return sum;
  word += (error > 0.0) == (sum > 0.0) ? 1 : -1;
  return bits<double>(word);
}

}  // namespace gate_emu
