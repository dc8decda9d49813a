// __nv_bfloat16 and __nv_bfloat162: bfloat16 in two bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/atomics.h"
#include "gate_emu/narrow.h"
#include "gate_emu/warp.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

namespace gate_emu {
using BfloatFormat = Narrow<7, 8>;
float bfloat_to_float(unsigned short word);
unsigned short float_to_bfloat(float v);
}  // namespace gate_emu

struct __attribute__((aligned(2))) __nv_bfloat16 {
  static constexpr char gate_element = 'b';
  unsigned short __x;

  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
    __x = raw.x;
    return *this;
  }
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
  __nv_bfloat16(float v) : __x(gate_emu::float_to_bfloat(v)) {}
  __nv_bfloat16(double v)
      : __x(static_cast<unsigned short>(
            gate_emu::BfloatFormat::from_double(v, gate_emu::Rounding::rn))) {}
#define GATE_BFLOAT_INTEGER(type)                                                              \
  __nv_bfloat16(type v)                                                                        \
      : __x(static_cast<unsigned short>(                                                       \
            gate_emu::BfloatFormat::from_integer(v, gate_emu::Rounding::rn))) {}               \
  operator type() const {                                                                      \
    return gate_emu::to_integer<type>(gate_emu::bfloat_to_float(__x), gate_emu::Rounding::rz); \
  }
  GATE_BFLOAT_INTEGER(short)
  GATE_BFLOAT_INTEGER(unsigned short)
  GATE_BFLOAT_INTEGER(int)
  GATE_BFLOAT_INTEGER(unsigned int)
  GATE_BFLOAT_INTEGER(long int)
  GATE_BFLOAT_INTEGER(unsigned long int)
  GATE_BFLOAT_INTEGER(long long int)
  GATE_BFLOAT_INTEGER(unsigned long long int)
#undef GATE_BFLOAT_INTEGER
  operator signed char() const {
    return gate_emu::to_integer<signed char>(gate_emu::bfloat_to_float(__x),
                                             gate_emu::Rounding::rz);
  }
  operator unsigned char() const {
    return gate_emu::to_integer<unsigned char>(gate_emu::bfloat_to_float(__x),
                                               gate_emu::Rounding::rz);
  }
  operator char() const {
    return gate_emu::to_integer<char>(gate_emu::bfloat_to_float(__x), gate_emu::Rounding::rz);
  }
  operator bool() const { return (__x & 0x7fffu) != 0; }
  operator float() const { return gate_emu::bfloat_to_float(__x); }
#endif
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  static constexpr char gate_element = 'b';
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  constexpr __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.__x, y.__x}; }
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

namespace gate_emu {

inline float bfloat_to_float(unsigned short word) {
  return bits<float>(static_cast<unsigned>(word) << 16);
}
inline unsigned short float_to_bfloat(float v) {
  const unsigned word = bits<unsigned>(v);
  if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1)) >> 16);
}
inline unsigned bits_of(__nv_bfloat16 v) { return v.__x; }
inline float widened(__nv_bfloat16 v) { return bfloat_to_float(v.__x); }
template <>
inline __nv_bfloat16 narrowed<__nv_bfloat16>(float v) {
  return with_bits<__nv_bfloat16>(float_to_bfloat(v));
}
template <>
inline __nv_bfloat16 narrowed_double<__nv_bfloat16>(double v) {
  return with_bits<__nv_bfloat16>(BfloatFormat::from_double(v, Rounding::rn));
}

}  // namespace gate_emu

#define GATE_T __nv_bfloat16
#define GATE_T2 __nv_bfloat162
#define GATE_NAME bfloat16
#define GATE_NAME2 bfloat162
#define GATE_TWICE 2bfloat162
#define GATE_FORMAT BfloatFormat
#include "gate_emu/narrow_conversions.inc"
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define GATE_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define GATE_NO_OPERATORS2
#endif
#include "gate_emu/narrow_operations.inc"
#undef GATE_NO_OPERATORS
#undef GATE_NO_OPERATORS2

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7FU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80U))
