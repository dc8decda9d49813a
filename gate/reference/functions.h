// Mathematical functions of reference code, for double and Tracked alike: gate::exp, gate::tanh …
// Tracked: |f'| over the argument's interval, plus the accuracy of the library function.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "gate/reference/tracked.h"

namespace gate {

/// Error of the function itself, in roundoffs of the result: 2 for library functions.
inline constexpr double library_roundings = 2;

/// What a smooth function of one argument adds up to.
struct SmoothStep {
  double value = 0;  // f(x)
  double slope = 0;  // max |f'| on [x - e, x + e]
  double roundings = library_roundings;
  double argument_roundings = 0;  // roundings of the argument inside: exp by exp2(x * log2 e)
  double absolute = 0;            // further absolute error: fast intrinsics
};

inline Tracked smooth(const Tracked& x, const SmoothStep& step) {
  Tracked z{step.value, 0, x.arithmetic};
  if (z.arithmetic == nullptr) return z;
  const double unit = z.arithmetic->unit;
  const double argument = x.error + step.argument_roundings * unit * std::abs(x.value);
  z.error = (argument > 0 ? step.slope * argument : 0) + step.absolute +
            step.roundings * unit * std::abs(step.value) + z.arithmetic->underflow;
  z.overflow = x.overflow;
  return tracked_result(z, std::isfinite(x.error));
}

/// An overflowed argument of a function that saturates at `limit`: its value is known after all.
/// Twice the distance, as envelopes leave room elsewhere too.
inline Tracked saturated(Tracked z, const Tracked& x, double limit) {
  if (!x.overflow) return z;
  z.error = std::max(z.error, 2 * std::abs(limit - z.value));
  z.overflow = false;
  return z;
}

inline bool is_fast(const Tracked& x) {
  return x.arithmetic != nullptr && x.arithmetic->fast_math != 0;
}

/// exp(x) - 1 or a little more, for x > 0.
inline double grown(double x) { return x < 1e-4 ? x + 0.5 * x * x * (1 + x) : std::expm1(x); }

template <ReferenceScalar S>
S exp(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::exp(x);
  } else {
    const double z = std::exp(x.value);
    const double unit = x.arithmetic ? x.arithmetic->unit : 0;
    const double argument = x.error + 1.5 * unit * std::abs(x.value);
    SmoothStep step{.value = z, .roundings = library_roundings};
    if (is_fast(x)) step.roundings = 4 + 2 * 1.173 * std::abs(x.value);
    if (std::isfinite(z) && argument > 0 && z > 0) step.absolute = z * grown(argument);
    Tracked result = smooth(x, step);
    if (x.overflow && x.value < 0) return saturated(result, x, 0);
    return result;
  }
}

template <ReferenceScalar S>
S log(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::log(x);
  } else {
    SmoothStep step{.value = std::log(x.value)};
    if (x.value > 0 && x.error > 0) {
      step.absolute = x.error < x.value ? -std::log1p(-x.error / x.value) : infinity;
    }
    if (is_fast(x)) {
      const bool near_one = x.value >= 0.5 && x.value <= 2;
      step.absolute += near_one ? 0x1.8p-22 : 0;
      step.roundings = 6;
    }
    return smooth(x, step);
  }
}

template <ReferenceScalar S>
S sqrt(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::sqrt(x);
  } else {
    const double root = std::sqrt(x.value);
    SmoothStep step{.value = root, .roundings = is_fast(x) ? 4.0 : 1.0};
    if (x.error > 0 && x.error < x.value) {
      step.absolute = x.error / (root + std::sqrt(x.value - x.error));
    } else if (x.error > 0) {
      step.absolute = std::max(root, std::sqrt(x.value + x.error) - root);
    }
    Tracked z = smooth(x, step);
    if (x.value == 0 && x.error == 0) z.error = 0;
    return z;
  }
}

/// 1 / sqrt(x)
template <ReferenceScalar S>
S rsqrt(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return 1 / std::sqrt(x);
  } else {
    SmoothStep step{.value = 1 / std::sqrt(x.value)};
    if (is_fast(x)) step.roundings = 4;
    if (x.error > 0) {
      const double low = x.value - x.error;
      step.absolute = low > 0 ? 0.5 * x.error * std::pow(low, -1.5) : infinity;
    }
    return saturated(smooth(x, step), x, 0);
  }
}

/// Smallest magnitude the argument may have: where |f'| of saturating functions is largest.
inline double least_magnitude(const Tracked& x) {
  return std::max(std::abs(x.value) - x.error, 0.0);
}

/// Functions that end at 1 return exactly 1 where they come much closer to it than a roundoff.
inline Tracked exactly_saturated(Tracked z, double distance) {
  if (z.arithmetic != nullptr && distance <= z.arithmetic->unit / 16) {
    z.error = std::min(z.error, 2 * distance);
  }
  return z;
}

template <ReferenceScalar S>
S tanh(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::tanh(x);
  } else {
    const double value = std::tanh(x.value), unit = x.arithmetic ? x.arithmetic->unit : 0;
    // The slope is at most 1: tanh loses no more than the argument does.
    double flat = std::max(std::abs(value) - x.error, 0.0);
    if (1 - std::abs(value) <= unit / 8) flat = std::tanh(least_magnitude(x));
    SmoothStep step{.value = value, .slope = 1 - flat * flat};
    if (is_fast(x)) step.roundings = 0x1p-10 / 0x1p-24;
    const Tracked z = saturated(smooth(x, step), x, std::copysign(1, x.value));
    return exactly_saturated(z, 1 - flat);
  }
}

template <ReferenceScalar S>
S erf(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::erf(x);
  } else {
    const double low = least_magnitude(x);
    const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-low * low);
    const Tracked z = smooth(x, {.value = std::erf(x.value), .slope = slope});
    return exactly_saturated(saturated(z, x, std::copysign(1, x.value)), std::erfc(low));
  }
}

template <ReferenceScalar S>
S sin(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::sin(x);
  } else {
    const double fast = is_fast(x) ? 0x1p-21 : 0;
    return smooth(x, {.value = std::sin(x.value), .slope = 1, .absolute = fast});
  }
}

template <ReferenceScalar S>
S cos(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::cos(x);
  } else {
    const double fast = is_fast(x) ? 0x1p-21 : 0;
    return smooth(x, {.value = std::cos(x.value), .slope = 1, .absolute = fast});
  }
}

template <ReferenceScalar S>
S expm1(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::expm1(x);
  } else {
    Tracked z = smooth(x, {.value = std::expm1(x.value), .slope = std::exp(x.value + x.error)});
    return x.overflow && x.value < 0 ? saturated(z, x, -1) : z;
  }
}

template <ReferenceScalar S>
S log1p(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::log1p(x);
  } else {
    const double low = 1 + x.value - x.error;
    const double slope = x.error == 0 ? 0 : (low > 0 ? 1 / low : infinity);
    return smooth(x, {.value = std::log1p(x.value), .slope = slope});
  }
}

template <ReferenceScalar S>
S abs(const S& x) {
  if constexpr (std::same_as<S, double>) {
    return std::abs(x);
  } else {
    Tracked z = x;
    z.value = std::abs(x.value);
    return z;
  }
}

/// The larger one; NaN if either is NaN.
template <ReferenceScalar S>
S max(const S& x, const std::type_identity_t<S>& y) {
  const double a = value_of(x), b = value_of(S(y));
  if (std::isnan(a)) return x;
  if (std::isnan(b)) return S(y);
  if constexpr (std::same_as<S, double>) {
    return a < b ? b : a;
  } else {
    const Arithmetic* arithmetic = common_arithmetic(x, y);
    Tracked z{a < b ? b : a, 0, arithmetic};
    if (arithmetic == nullptr) return z;
    z.error = std::max(settled_error(x, *arithmetic), settled_error(y, *arithmetic));
    z.overflow = x.overflow || y.overflow;
    return z;
  }
}
template <ReferenceScalar S>
S min(const S& x, const std::type_identity_t<S>& y) {
  return -max(S(-x), S(-S(y)));
}

/// The first formula's value where both are legal ways to compute it: the error covers both, with
/// room where the second one loses everything even in fp64.
inline double either_form(double first, double) { return first; }
inline Tracked either_form(Tracked first, const Tracked& second) {
  const double other = 2 * std::abs(first.value - second.value) + second.error;
  if (!std::isnan(other)) first.error = std::max(first.error, other);
  return first;
}

/// Stored as a lower type and read back: the error grows, the value stays that of exact maths.
inline double stored(double x, double, double) { return x; }
inline Tracked stored(Tracked x, double unit, double underflow) {
  if (std::isfinite(x.value)) x.error += unit * (std::abs(x.value) + x.error) + underflow;
  return x;
}

}  // namespace gate
