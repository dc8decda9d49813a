// __half and __half2: IEEE binary16 in two bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/atomics.h"
#include "gate_emu/narrow.h"
#include "gate_emu/warp.h"

struct __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

namespace gate_emu {
using HalfFormat = Narrow<10, 5>;
float half_to_float(unsigned short word);
unsigned short float_to_half(float v);
}  // namespace gate_emu

struct __attribute__((aligned(2))) __half {
  static constexpr char gate_element = 'h';
  unsigned short __x;

  __half() = default;
  constexpr __half(const __half_raw& raw) : __x(raw.x) {}
  operator __half_raw() const { return __half_raw{__x}; }
  __half& operator=(const __half_raw& raw) {
    __x = raw.x;
    return *this;
  }
#ifndef __CUDA_NO_HALF_CONVERSIONS__
  __half(float v) : __x(gate_emu::float_to_half(v)) {}
  __half(double v)
      : __x(static_cast<unsigned short>(
            gate_emu::HalfFormat::from_double(v, gate_emu::Rounding::rn))) {}
#define GATE_HALF_INTEGER(type)                                                              \
  __half(type v)                                                                             \
      : __x(static_cast<unsigned short>(                                                     \
            gate_emu::HalfFormat::from_integer(v, gate_emu::Rounding::rn))) {}               \
  operator type() const {                                                                    \
    return gate_emu::to_integer<type>(gate_emu::half_to_float(__x), gate_emu::Rounding::rz); \
  }
  GATE_HALF_INTEGER(short)
  GATE_HALF_INTEGER(unsigned short)
  GATE_HALF_INTEGER(int)
  GATE_HALF_INTEGER(unsigned int)
  GATE_HALF_INTEGER(long int)
  GATE_HALF_INTEGER(unsigned long int)
  GATE_HALF_INTEGER(long long int)
  GATE_HALF_INTEGER(unsigned long long int)
#undef GATE_HALF_INTEGER
  operator signed char() const {
    return gate_emu::to_integer<signed char>(gate_emu::half_to_float(__x), gate_emu::Rounding::rz);
  }
  operator unsigned char() const {
    return gate_emu::to_integer<unsigned char>(gate_emu::half_to_float(__x),
                                               gate_emu::Rounding::rz);
  }
  operator char() const {
    return gate_emu::to_integer<char>(gate_emu::half_to_float(__x), gate_emu::Rounding::rz);
  }
  operator bool() const { return (__x & 0x7fffu) != 0; }
  operator float() const { return gate_emu::half_to_float(__x); }
#endif
};

struct __attribute__((aligned(4))) __half2 {
  static constexpr char gate_element = 'h';
  __half x, y;

  __half2() = default;
  constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
  constexpr __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

namespace gate_emu {

inline float half_to_float(unsigned short word) {
  _Float16 v;
  __builtin_memcpy(&v, &word, 2);
  return static_cast<float>(v);
}
inline unsigned short float_to_half(float v) {
  if (__builtin_expect(v != v, 0)) return 0x7fff;
  const _Float16 h = static_cast<_Float16>(v);
  unsigned short word;
  __builtin_memcpy(&word, &h, 2);
  return word;
}
inline unsigned bits_of(__half v) { return v.__x; }
inline float widened(__half v) { return half_to_float(v.__x); }
template <>
inline __half narrowed<__half>(float v) {
  return with_bits<__half>(float_to_half(v));
}
template <>
inline __half narrowed_double<__half>(double v) {
  return with_bits<__half>(HalfFormat::from_double(v, Rounding::rn));
}

}  // namespace gate_emu

#define GATE_T __half
#define GATE_T2 __half2
#define GATE_NAME half
#define GATE_NAME2 half2
#define GATE_TWICE 2half2
#define GATE_FORMAT HalfFormat
#include "gate_emu/narrow_conversions.inc"
#ifdef __CUDA_NO_HALF_OPERATORS__
#define GATE_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define GATE_NO_OPERATORS2
#endif
#include "gate_emu/narrow_operations.inc"
#undef GATE_NO_OPERATORS
#undef GATE_NO_OPERATORS2

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00U))
