// Operators whose out-of-range results the hardware defines and C++ does not. The translator puts
// these marks into device code:
//   a << b            a << ::gate_emu::shift << b        (same precedence, same association)
//   a <<= b           a <<= ::gate_emu::shift_by = b
//   (unsigned)x       ::gate_emu::To<unsigned>()->*x
//   static_cast<unsigned>(x)   ::gate_emu::cast<unsigned>(x)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/convert.h"

namespace gate_emu {

/// Amounts of the type's width and above shift everything out; right shifts keep the sign.
template <class T, class U>
constexpr auto shifted_left(T value, U amount) {
  using R = decltype(value << amount);
  if constexpr (std::is_integral_v<R>) {
    using Bits = std::make_unsigned_t<R>;
    const auto by = static_cast<unsigned long long>(amount);
    return by < sizeof(R) * 8 ? static_cast<R>(static_cast<Bits>(static_cast<R>(value)) << by)
                              : R{0};
  } else {
    return value << amount;
  }
}
template <class T, class U>
constexpr auto shifted_right(T value, U amount) {
  using R = decltype(value >> amount);
  if constexpr (std::is_integral_v<R>) {
    const auto by = static_cast<unsigned long long>(amount);
    const R wide = static_cast<R>(value);
    return by < sizeof(R) * 8 ? static_cast<R>(wide >> by) : wide < 0 ? static_cast<R>(-1) : R{0};
  } else {
    return value >> amount;
  }
}

struct Shift {};
inline constexpr Shift shift{};
template <class T>
struct LeftOperand {
  T value;
};
template <class T>
constexpr LeftOperand<T> operator<<(T value, Shift) {
  return {value};
}
template <class T>
constexpr LeftOperand<T> operator>>(T value, Shift) {
  return {value};
}
template <class T, class U>
constexpr auto operator<<(LeftOperand<T> left, U amount) {
  return shifted_left(left.value, amount);
}
template <class T, class U>
constexpr auto operator>>(LeftOperand<T> left, U amount) {
  return shifted_right(left.value, amount);
}

template <class U>
struct Amount {
  U value;
};
struct ShiftBy {
  template <class U>
  constexpr Amount<U> operator=(U amount) const {
    return {amount};
  }
};
inline constexpr ShiftBy shift_by{};
template <class T, class U>
constexpr T& operator<<=(T& value, Amount<U> amount) {
  return value = static_cast<T>(shifted_left(value, amount.value));
}
template <class T, class U>
constexpr T& operator>>=(T& value, Amount<U> amount) {
  return value = static_cast<T>(shifted_right(value, amount.value));
}

/// Floating point to integer as cvt does it: saturating at 32 bits, then cut to the type.
template <class I, class T>
constexpr I cast(T value) {
  if constexpr (std::is_floating_point_v<T> && std::is_integral_v<I> &&
                !std::is_same_v<I, bool>) {
    using Wide = std::conditional_t<
        sizeof(I) == 8, I, std::conditional_t<std::is_signed_v<I>, int, unsigned>>;
    return static_cast<I>(to_integer<Wide>(static_cast<double>(value), Rounding::rz));
  } else {
    return static_cast<I>(value);
  }
}

enum class Prefix { none, minus, complement, negation };
template <class I, Prefix prefix = Prefix::none>
struct To {
  template <class T>
  constexpr auto operator->*(const T& value) const {
    const I result = cast<I>(value);
    if constexpr (prefix == Prefix::minus) return -result;
    else if constexpr (prefix == Prefix::complement) return ~result;
    else if constexpr (prefix == Prefix::negation) return !result;
    else return result;
  }
  constexpr To<I, Prefix::minus> operator-() const { return {}; }
  constexpr To<I, Prefix::complement> operator~() const { return {}; }
  constexpr To<I, Prefix::negation> operator!() const { return {}; }
};

}  // namespace gate_emu
