// 8-bit floating point: e4m3 (no infinity) and e5m2, scalars and vectors of two and four.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/bfloat16.h"
#include "gate_emu/half.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace gate_emu {

/// Decodes either format exactly.
inline float fp8_to_float(unsigned char byte, __nv_fp8_interpretation_t format) {
  const bool e4m3 = format == __NV_E4M3;
  const int mantissa_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int field = (byte & 0x7f) >> mantissa_bits;
  const int fraction = byte & ((1 << mantissa_bits) - 1);
  float magnitude;
  if (e4m3 && (byte & 0x7f) == 0x7f) {
    magnitude = __builtin_nanf("");
  } else if (!e4m3 && field == 31) {
    magnitude = fraction == 0 ? __builtin_inff() : __builtin_nanf("");
  } else if (field == 0) {
    magnitude = __builtin_ldexpf(static_cast<float>(fraction), 1 - bias - mantissa_bits);
  } else {
    magnitude = __builtin_ldexpf(static_cast<float>(fraction + (1 << mantissa_bits)),
                                 field - bias - mantissa_bits);
  }
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}

/// Rounds to nearest even once; beyond the range: the largest value, or NaN / infinity.
inline unsigned char double_to_fp8(double v, __nv_saturation_t saturate,
                                   __nv_fp8_interpretation_t format) {
  const bool e4m3 = format == __NV_E4M3;
  const unsigned sign = __builtin_signbit(v) ? 0x80u : 0u;
  if (v != v) return 0x7f;
  const double magnitude = __builtin_fabs(v);
  // Halfway between the largest value and the next one rounds to the largest (even) for e4m3,
  // away from it for e5m2, whose next step is infinity.
  const bool over = e4m3 ? magnitude > 464.0 : magnitude >= 61440.0;
  if (over) {
    if (saturate == __NV_SATFINITE) return static_cast<unsigned char>(sign | (e4m3 ? 0x7e : 0x7b));
    return static_cast<unsigned char>(e4m3 ? 0x7f | sign : sign | 0x7c);
  }
  const int mantissa_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  int exponent = magnitude == 0.0 ? 1 - bias : __builtin_ilogb(magnitude);
  if (exponent < 1 - bias) exponent = 1 - bias;
  const double unit = __builtin_ldexp(1.0, exponent - mantissa_bits);
  unsigned steps = static_cast<unsigned>(__builtin_rint(magnitude / unit));
  unsigned field = 1;
  if (steps >> mantissa_bits == 0) {
    field = 0;                                         // subnormal
  } else {
    if (steps >> (mantissa_bits + 1) != 0) {
      steps >>= 1;
      ++exponent;
    }
    field = static_cast<unsigned>(exponent + bias);
    steps &= (1u << mantissa_bits) - 1;
  }
  return static_cast<unsigned char>(sign | field << mantissa_bits | steps);
}

}  // namespace gate_emu

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t format) {
  return gate_emu::double_to_fp8(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t format) {
  return gate_emu::double_to_fp8(x, saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t format) {
  return gate_emu::double_to_fp8(gate_emu::half_to_float(x.x), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
  return gate_emu::double_to_fp8(gate_emu::bfloat_to_float(x.x), saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_float_to_fp8(x.x, saturate, format) |
      __nv_cvt_float_to_fp8(x.y, saturate, format) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
  return static_cast<__nv_fp8x2_storage_t>(
      __nv_cvt_double_to_fp8(x.x, saturate, format) |
      __nv_cvt_double_to_fp8(x.y, saturate, format) << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      float2{gate_emu::half_to_float(x.x), gate_emu::half_to_float(x.y)}, saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                           __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t format) {
  return __nv_cvt_float2_to_fp8x2(
      float2{gate_emu::bfloat_to_float(x.x), gate_emu::bfloat_to_float(x.y)}, saturate, format);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
  return __half_raw{gate_emu::float_to_half(gate_emu::fp8_to_float(x, format))};
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t format) {
  return __half2_raw{
      __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x & 0xff), format).x,
      __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

#define GATE_FP8_TO(type)                                                                \
  explicit operator type() const {                                                       \
    return gate_emu::to_integer<type>(gate_emu::fp8_to_float(__x, gate_format),          \
                                      gate_emu::Rounding::rz);                           \
  }
#define GATE_FP8_SCALAR(name, format, letter)                                              \
  struct name {                                                                            \
    static constexpr char gate_element = letter;                                           \
    static constexpr __nv_fp8_interpretation_t gate_format = format;                       \
    __nv_fp8_storage_t __x;                                                                \
    name() = default;                                                                      \
    explicit name(float v) : __x(gate_emu::double_to_fp8(v, __NV_SATFINITE, format)) {}    \
    explicit name(double v) : __x(gate_emu::double_to_fp8(v, __NV_SATFINITE, format)) {}   \
    explicit name(__half v)                                                                \
        : __x(gate_emu::double_to_fp8(gate_emu::widened(v), __NV_SATFINITE, format)) {}    \
    explicit name(__nv_bfloat16 v)                                                         \
        : __x(gate_emu::double_to_fp8(gate_emu::widened(v), __NV_SATFINITE, format)) {}    \
    template <class I, class = std::enable_if_t<std::is_integral_v<I>>>                    \
    explicit name(I v)                                                                     \
        : __x(gate_emu::double_to_fp8(static_cast<double>(v), __NV_SATFINITE, format)) {}  \
    explicit operator float() const { return gate_emu::fp8_to_float(__x, format); }        \
    explicit operator double() const { return gate_emu::fp8_to_float(__x, format); }       \
    explicit operator __half() const {                                                     \
      return gate_emu::narrowed<__half>(gate_emu::fp8_to_float(__x, format));              \
    }                                                                                      \
    explicit operator __nv_bfloat16() const {                                              \
      return gate_emu::narrowed<__nv_bfloat16>(gate_emu::fp8_to_float(__x, format));       \
    }                                                                                      \
    GATE_FP8_TO(char)                                                                      \
    GATE_FP8_TO(signed char)                                                               \
    GATE_FP8_TO(unsigned char)                                                             \
    GATE_FP8_TO(short)                                                                     \
    GATE_FP8_TO(unsigned short)                                                            \
    GATE_FP8_TO(int)                                                                       \
    GATE_FP8_TO(unsigned int)                                                              \
    GATE_FP8_TO(long)                                                                      \
    GATE_FP8_TO(unsigned long)                                                             \
    GATE_FP8_TO(long long)                                                                 \
    GATE_FP8_TO(unsigned long long)                                                        \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                           \
  };
GATE_FP8_SCALAR(__nv_fp8_e4m3, __NV_E4M3, '4')
GATE_FP8_SCALAR(__nv_fp8_e5m2, __NV_E5M2, '5')
#undef GATE_FP8_SCALAR
#undef GATE_FP8_TO

#define GATE_FP8_VECTORS(suffix, format, letter)                                              \
  struct __attribute__((aligned(2))) __nv_fp8x2_##suffix {                                    \
    static constexpr char gate_element = letter;                                              \
    __nv_fp8x2_storage_t __x;                                                                 \
    __nv_fp8x2_##suffix() = default;                                                          \
    explicit __nv_fp8x2_##suffix(float2 v)                                                    \
        : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, format)) {}                         \
    explicit __nv_fp8x2_##suffix(double2 v)                                                   \
        : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, format)) {}                        \
    explicit __nv_fp8x2_##suffix(__half2 v)                                                   \
        : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(v), __NV_SATFINITE,         \
                                         format)) {}                                          \
    explicit __nv_fp8x2_##suffix(__nv_bfloat162 v)                                            \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(v),              \
                                             __NV_SATFINITE, format)) {}                      \
    explicit operator __half2() const {                                                       \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                \
    }                                                                                         \
    explicit operator float2() const {                                                        \
      return float2{gate_emu::fp8_to_float(static_cast<unsigned char>(__x & 0xff), format),   \
                    gate_emu::fp8_to_float(static_cast<unsigned char>(__x >> 8), format)};    \
    }                                                                                         \
  };                                                                                          \
  struct __attribute__((aligned(4))) __nv_fp8x4_##suffix {                                    \
    static constexpr char gate_element = letter;                                              \
    __nv_fp8x4_storage_t __x;                                                                 \
    __nv_fp8x4_##suffix() = default;                                                          \
    explicit __nv_fp8x4_##suffix(float4 v)                                                    \
        : __x(static_cast<unsigned>(                                                          \
                  __nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, format)) |       \
              static_cast<unsigned>(                                                          \
                  __nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, format))         \
                  << 16) {}                                                                   \
    explicit __nv_fp8x4_##suffix(__half2 lo, __half2 hi)                                      \
        : __x(static_cast<unsigned>(__nv_fp8x2_##suffix(lo).__x) |                            \
              static_cast<unsigned>(__nv_fp8x2_##suffix(hi).__x) << 16) {}                    \
    explicit __nv_fp8x4_##suffix(__nv_bfloat162 lo, __nv_bfloat162 hi)                        \
        : __x(static_cast<unsigned>(__nv_fp8x2_##suffix(lo).__x) |                            \
              static_cast<unsigned>(__nv_fp8x2_##suffix(hi).__x) << 16) {}                    \
    explicit operator float4() const {                                                        \
      return float4{gate_emu::fp8_to_float(static_cast<unsigned char>(__x & 0xff), format),   \
                    gate_emu::fp8_to_float(static_cast<unsigned char>(__x >> 8 & 0xff), format), \
                    gate_emu::fp8_to_float(static_cast<unsigned char>(__x >> 16 & 0xff), format), \
                    gate_emu::fp8_to_float(static_cast<unsigned char>(__x >> 24), format)};   \
    }                                                                                         \
  };
GATE_FP8_VECTORS(e4m3, __NV_E4M3, '4')
GATE_FP8_VECTORS(e5m2, __NV_E5M2, '5')
#undef GATE_FP8_VECTORS
