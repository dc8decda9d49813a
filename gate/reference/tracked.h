// Tracked: a value in fp64 and a bound on the error a correct kernel may have made at that point.
// Running-error analysis to first order in the roundoff; rules: knowledge oracle.md, 5.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "gate/reference/arithmetic.h"

namespace gate {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Tracked {
  double value = 0;
  double error = 0;                        // >= 0; infinite: nothing is known of the kernel's value
  const Arithmetic* arithmetic = nullptr;  // null: a constant, not yet rounded to anything
  /// The kernel may have overflowed here: its value is within `error`, or anything outward up to
  /// the infinity of the value's sign.
  bool overflow = false;

  Tracked() = default;
  template <class T>
  requires std::is_arithmetic_v<T> Tracked(T constant)
      : value(static_cast<double>(constant)) {}  // NOLINT: constants mix freely
  Tracked(double exact, double bound, const Arithmetic* with)
      : value(exact), error(bound), arithmetic(with) {}
};

template <class S>
concept ReferenceScalar = std::same_as<S, double> || std::same_as<S, Tracked>;

inline double value_of(double x) { return x; }
inline double value_of(const Tracked& x) { return x.value; }
inline double error_of(double) { return 0; }
inline double error_of(const Tracked& x) { return x.error; }

/// A constant meets an arithmetic: it is rounded unless it fits.
inline double settled_error(const Tracked& x, const Arithmetic& arithmetic) {
  if (x.arithmetic != nullptr || !std::isfinite(x.value)) return x.error;
  const bool fits = arithmetic.unit <= 0x1p-53 ||
                    (arithmetic.unit <= 0x1p-24 && static_cast<float>(x.value) == x.value);
  return fits ? x.error : x.error + arithmetic.unit * std::abs(x.value);
}

inline const Arithmetic* common_arithmetic(const Tracked& x, const Tracked& y) {
  return x.arithmetic != nullptr ? x.arithmetic : y.arithmetic;
}

/// Result of an operation on operands whose errors were `known` (all finite): infinities and NaN
/// that fp64 reports are exact facts, and leaving the range sets the overflow mark.
inline Tracked tracked_result(Tracked z, bool known) {
  if (!known) {
    z.error = infinity;
  } else if (!std::isfinite(z.value)) {
    z.error = 0;
    z.overflow = false;
  } else if (!(z.error >= 0)) {
    z.error = infinity;
  } else if (z.arithmetic != nullptr && std::abs(z.value) + z.error > z.arithmetic->largest) {
    z.overflow = true;
  }
  return z;
}

inline Tracked operator-(Tracked x) {
  x.value = -x.value;
  return x;
}

inline Tracked operator+(const Tracked& x, const Tracked& y) {
  Tracked z{x.value + y.value, 0, common_arithmetic(x, y)};
  if (z.arithmetic == nullptr) return z;
  const double ex = settled_error(x, *z.arithmetic), ey = settled_error(y, *z.arithmetic);
  z.error = ex + ey + z.arithmetic->unit * (std::abs(z.value) + ex + ey) + z.arithmetic->flush;
  // Adding zero never rounds.
  if ((x.value == 0 && ex == 0) || (y.value == 0 && ey == 0)) z.error = ex + ey;
  z.overflow = x.overflow || y.overflow;
  const bool opposed = std::signbit(x.value) != std::signbit(y.value);
  const bool both =
      (x.overflow && (y.overflow || std::isinf(y.value))) || (y.overflow && std::isinf(x.value));
  return tracked_result(z, std::isfinite(ex) && std::isfinite(ey) && !(opposed && both));
}

inline Tracked operator-(const Tracked& x, const Tracked& y) { return x + -y; }

inline Tracked operator*(const Tracked& x, const Tracked& y) {
  Tracked z{x.value * y.value, 0, common_arithmetic(x, y)};
  if (z.arithmetic == nullptr) return z;
  const double ex = settled_error(x, *z.arithmetic), ey = settled_error(y, *z.arithmetic);
  z.error = std::abs(x.value) * ey + std::abs(y.value) * ex + ex * ey;
  const bool exact_zero = (x.value == 0 && ex == 0) || (y.value == 0 && ey == 0);
  const bool unchanged = (std::abs(x.value) == 1 && ex == 0) || (std::abs(y.value) == 1 && ey == 0);
  if (!exact_zero && !unchanged) {
    z.error += z.arithmetic->unit * std::abs(z.value) + z.arithmetic->underflow;
  }
  z.overflow = x.overflow || y.overflow;
  const bool infinity_times_zero =
      (x.overflow && std::abs(y.value) <= ey) || (y.overflow && std::abs(x.value) <= ex);
  return tracked_result(z, std::isfinite(ex) && std::isfinite(ey) && !infinity_times_zero);
}

inline Tracked operator/(const Tracked& x, const Tracked& y) {
  Tracked z{x.value / y.value, 0, common_arithmetic(x, y)};
  if (z.arithmetic == nullptr) return z;
  const double ex = settled_error(x, *z.arithmetic), ey = settled_error(y, *z.arithmetic);
  if (ey > 0 && ey >= std::abs(y.value)) return tracked_result(z, false);
  const double roundings = z.arithmetic->fast_math != 0 ? 4 : 1;
  z.error = (ex + std::abs(z.value) * ey) / (std::abs(y.value) - ey) +
            roundings * z.arithmetic->unit * std::abs(z.value) + z.arithmetic->underflow;
  if (x.value == 0 && ex == 0) z.error = 0;
  z.overflow = x.overflow;
  if (y.overflow) z.error = std::max(z.error, 2 * std::abs(z.value));  // down to zero
  if (std::isinf(y.value) && std::isfinite(x.value)) z.error = 0;
  const bool both = y.overflow && (x.overflow || std::isinf(x.value));
  return tracked_result(z, std::isfinite(ex) && std::isfinite(ey) && !both);
}

inline Tracked& operator+=(Tracked& x, const Tracked& y) { return x = x + y; }
inline Tracked& operator-=(Tracked& x, const Tracked& y) { return x = x - y; }
inline Tracked& operator*=(Tracked& x, const Tracked& y) { return x = x * y; }
inline Tracked& operator/=(Tracked& x, const Tracked& y) { return x = x / y; }

/// A comparison of two tracked values: undecided where the errors reach across.
struct Decision {
  bool holds = false;
  bool open = false;  // a correct kernel may have decided the other way
};

inline Decision less(double x, double y) { return {x < y, false}; }
inline Decision less(const Tracked& x, const Tracked& y) {
  const Arithmetic* arithmetic = common_arithmetic(x, y);
  const double ex = arithmetic ? settled_error(x, *arithmetic) : x.error;
  const double ey = arithmetic ? settled_error(y, *arithmetic) : y.error;
  const double reach = ex + ey;
  const bool open = reach > 0 && !(std::abs(x.value - y.value) > reach) && !std::isnan(x.value) &&
                    !std::isnan(y.value);
  return {x.value < y.value, open};
}
template <ReferenceScalar S>
Decision greater(const S& x, const std::type_identity_t<S>& y) {
  return less(S(y), x);
}
template <ReferenceScalar S>
Decision below(const S& x, const std::type_identity_t<S>& y) {
  return less(x, S(y));
}

inline double select(const Decision& decision, double yes, double no) {
  return decision.holds ? yes : no;
}
/// The branch fp64 takes; where the decision is open the error covers the other branch too.
inline Tracked select(const Decision& decision, const Tracked& yes, const Tracked& no) {
  Tracked z = decision.holds ? yes : no;
  if (!decision.open) return z;
  const Tracked& other = decision.holds ? no : yes;
  if (z.arithmetic == nullptr) z.arithmetic = other.arithmetic;
  z.error = std::max(z.error, std::abs(yes.value - no.value) + other.error);
  z.overflow = z.overflow || other.overflow;
  return tracked_result(z, std::isfinite(yes.value) && std::isfinite(no.value));
}

}  // namespace gate
