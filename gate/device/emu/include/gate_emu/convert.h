// Conversions and arithmetic with an explicit rounding mode, and saturating float-to-integer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fenv.h>

#include <limits>

#include "gate_emu/integer.h"
#include "gate_emu/math.h"

namespace gate_emu {

enum class Rounding { rn, rz, rd, ru };

inline double rounded_to_integer(double v, Rounding mode) {
  switch (mode) {
    case Rounding::rn:
      return __builtin_rint(v);
    case Rounding::rz:
      return __builtin_trunc(v);
    case Rounding::rd:
      return __builtin_floor(v);
    case Rounding::ru:
      return __builtin_ceil(v);
  }
  return v;
}

/// As cvt does: saturates; NaN gives 0, for 64-bit results the smallest signed value's bits.
template <class I>
inline I to_integer(double v, Rounding mode) {
  if (v != v) return sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I{0};
  const double r = rounded_to_integer(v, mode);
  const double limit = std::is_signed_v<I> ? __builtin_ldexp(1.0, 8 * sizeof(I) - 1)
                                           : __builtin_ldexp(1.0, 8 * sizeof(I));
  if (r >= limit) return std::numeric_limits<I>::max();
  if (r < (std::is_signed_v<I> ? -limit : 0.0)) return std::numeric_limits<I>::min();
  return static_cast<I>(r);
}

inline int fenv_mode(Rounding mode) {
  switch (mode) {
    case Rounding::rn:
      return FE_TONEAREST;
    case Rounding::rz:
      return FE_TOWARDZERO;
    case Rounding::rd:
      return FE_DOWNWARD;
    case Rounding::ru:
      return FE_UPWARD;
  }
  return FE_TONEAREST;
}

/// Runs one operation under a rounding mode; `operation` reads its operands through volatile.
template <class Operation>
__attribute__((noinline)) auto under(Rounding mode, Operation operation) {
  fesetround(fenv_mode(mode));
  __asm__ volatile("" ::: "memory");
  volatile auto result = operation();
  __asm__ volatile("" ::: "memory");
  fesetround(FE_TONEAREST);
  return result;
}

template <class To, class From>
inline To converted(From from, Rounding mode) {
  if (mode == Rounding::rn) return static_cast<To>(from);
  volatile From operand = from;
  return under(mode, [&] { return static_cast<To>(operand); });
}

/// A sum or quotient kept from being contracted or reassociated.
inline float kept(float v) {
  __asm__("" : "+x"(v));
  return v;
}
inline double kept(double v) {
  __asm__("" : "+x"(v));
  return v;
}

}  // namespace gate_emu

#define GATE_MODES(macro, ...) \
  macro(rn, __VA_ARGS__) macro(rz, __VA_ARGS__) macro(rd, __VA_ARGS__) macro(ru, __VA_ARGS__)

#define GATE_BINARY_MODE(mode, name, type, op)                                             \
  inline type name##_##mode(type a, type b) {                                              \
    if (gate_emu::Rounding::mode == gate_emu::Rounding::rn) return gate_emu::kept(a op b); \
    volatile type va = a, vb = b;                                                          \
    return gate_emu::under(gate_emu::Rounding::mode, [&] { return type(va op vb); });      \
  }
GATE_MODES(GATE_BINARY_MODE, __fadd, float, +)
GATE_MODES(GATE_BINARY_MODE, __fsub, float, -)
GATE_MODES(GATE_BINARY_MODE, __fmul, float, *)
GATE_MODES(GATE_BINARY_MODE, __fdiv, float, /)
GATE_MODES(GATE_BINARY_MODE, __dadd, double, +)
GATE_MODES(GATE_BINARY_MODE, __dsub, double, -)
GATE_MODES(GATE_BINARY_MODE, __dmul, double, *)
GATE_MODES(GATE_BINARY_MODE, __ddiv, double, /)
#undef GATE_BINARY_MODE

#define GATE_UNARY_MODE(mode, name, type, expression)                                   \
  inline type name##_##mode(type a) {                                                   \
    volatile type v = a;                                                                \
    return gate_emu::under(gate_emu::Rounding::mode, [&] { return type(expression); }); \
  }
GATE_MODES(GATE_UNARY_MODE, __frcp, float, 1.0f / v)
GATE_MODES(GATE_UNARY_MODE, __fsqrt, float, __builtin_sqrtf(v))
GATE_MODES(GATE_UNARY_MODE, __drcp, double, 1.0 / v)
GATE_MODES(GATE_UNARY_MODE, __dsqrt, double, __builtin_sqrt(v))
#undef GATE_UNARY_MODE
/// 1/√x rounded once: the double result is off by far less than half a float ulp's distance.
inline float __frsqrt_rn(float x) { return rsqrtf(x); }

#define GATE_FMA_MODE(mode, name, type, builtin)                                                 \
  inline type name##_##mode(type a, type b, type c) {                                            \
    if (gate_emu::Rounding::mode == gate_emu::Rounding::rn) return builtin(a, b, c);             \
    volatile type va = a, vb = b, vc = c;                                                        \
    return gate_emu::under(gate_emu::Rounding::mode, [&] { return type(builtin(va, vb, vc)); }); \
  }
GATE_MODES(GATE_FMA_MODE, __fmaf, float, __builtin_fmaf)
GATE_MODES(GATE_FMA_MODE, __fma, double, __builtin_fma)
#undef GATE_FMA_MODE

#define GATE_TO_INTEGER_MODE(mode, name, from, to)                                     \
  inline to name##_##mode(from v) {                                                    \
    return gate_emu::to_integer<to>(static_cast<double>(v), gate_emu::Rounding::mode); \
  }
GATE_MODES(GATE_TO_INTEGER_MODE, __float2int, float, int)
GATE_MODES(GATE_TO_INTEGER_MODE, __float2uint, float, unsigned int)
GATE_MODES(GATE_TO_INTEGER_MODE, __float2ll, float, long long int)
GATE_MODES(GATE_TO_INTEGER_MODE, __float2ull, float, unsigned long long int)
GATE_MODES(GATE_TO_INTEGER_MODE, __double2int, double, int)
GATE_MODES(GATE_TO_INTEGER_MODE, __double2uint, double, unsigned int)
GATE_MODES(GATE_TO_INTEGER_MODE, __double2ll, double, long long int)
GATE_MODES(GATE_TO_INTEGER_MODE, __double2ull, double, unsigned long long int)
#undef GATE_TO_INTEGER_MODE

#define GATE_CONVERT_MODE(mode, name, from, to) \
  inline to name##_##mode(from v) { return gate_emu::converted<to>(v, gate_emu::Rounding::mode); }
GATE_MODES(GATE_CONVERT_MODE, __int2float, int, float)
GATE_MODES(GATE_CONVERT_MODE, __uint2float, unsigned int, float)
GATE_MODES(GATE_CONVERT_MODE, __ll2float, long long int, float)
GATE_MODES(GATE_CONVERT_MODE, __ull2float, unsigned long long int, float)
GATE_MODES(GATE_CONVERT_MODE, __ll2double, long long int, double)
GATE_MODES(GATE_CONVERT_MODE, __ull2double, unsigned long long int, double)
GATE_MODES(GATE_CONVERT_MODE, __double2float, double, float)
#undef GATE_CONVERT_MODE
inline double __int2double_rn(int v) { return v; }
inline double __uint2double_rn(unsigned v) { return v; }

inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Fast approximations: the same instruction sequences as the hardware's, each step in single
// precision, so that their range and error behave alike (guide, "Intrinsic Functions").
namespace gate_emu {
inline float ex2_approx(float x) { return __builtin_exp2f(x); }
inline float lg2_approx(float x) { return __builtin_log2f(x); }
inline float reduced_turn(float x) {
  float turns = kept(x * 0.15915494309189535f);
  return turns - __builtin_floorf(turns);
}
}  // namespace gate_emu
inline float __expf(float x) {
  return gate_emu::ex2_approx(gate_emu::kept(x * 1.4426950408889634f));
}
inline float __exp10f(float x) {
  return gate_emu::ex2_approx(gate_emu::kept(x * 3.3219280948873623f));
}
inline float __log2f(float x) { return gate_emu::lg2_approx(x); }
inline float __logf(float x) {
  return gate_emu::kept(gate_emu::lg2_approx(x) * 0.69314718055994531f);
}
inline float __log10f(float x) {
  return gate_emu::kept(gate_emu::lg2_approx(x) * 0.30102999566398120f);
}
inline float __powf(float x, float y) {
  return gate_emu::ex2_approx(gate_emu::kept(y * gate_emu::lg2_approx(x)));
}
inline float __sinf(float x) {
  return static_cast<float>(std::sin(6.283185307179586 * gate_emu::reduced_turn(x)));
}
inline float __cosf(float x) {
  return static_cast<float>(std::cos(6.283185307179586 * gate_emu::reduced_turn(x)));
}
inline void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
inline float __tanf(float x) { return gate_emu::kept(__sinf(x) * __frcp_rn(__cosf(x))); }
inline float __tanhf(float x) { return std::tanh(x); }
/// x · (1/y): for 2^126 < |y| < 2^128 the reciprocal is flushed, as documented.
inline float __fdividef(float x, float y) {
  const float magnitude = __builtin_fabsf(y);
  if (magnitude > 0x1p126f && magnitude < __builtin_inff()) {
    return x * __builtin_copysignf(0.0f, y);
  }
  return gate_emu::kept(x * gate_emu::kept(1.0f / y));
}
