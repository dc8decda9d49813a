// Device math: the overload set of CUDA on top of the host's <math.h>, and the functions that
// only CUDA has. Single precision throughout where the name says so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdlib>

#include "gate_emu/core.h"

// GATE_KEEP hides a value from the optimizer, so that a rounding is not contracted away.
#define GATE_KEEP_FLOAT(v) __asm__("" : "+x"(v))

#define GATE_MIN_MAX(type)                                            \
  inline constexpr type min(type a, type b) { return b < a ? b : a; } \
  inline constexpr type max(type a, type b) { return a < b ? b : a; }
GATE_MIN_MAX(int)
GATE_MIN_MAX(unsigned int)
GATE_MIN_MAX(long int)
GATE_MIN_MAX(unsigned long int)
GATE_MIN_MAX(long long int)
GATE_MIN_MAX(unsigned long long int)
#undef GATE_MIN_MAX
#define GATE_MIN_MAX_MIXED(signed_type, unsigned_type)                 \
  inline constexpr unsigned_type min(signed_type a, unsigned_type b) { \
    return min(static_cast<unsigned_type>(a), b);                      \
  }                                                                    \
  inline constexpr unsigned_type min(unsigned_type a, signed_type b) { \
    return min(a, static_cast<unsigned_type>(b));                      \
  }                                                                    \
  inline constexpr unsigned_type max(signed_type a, unsigned_type b) { \
    return max(static_cast<unsigned_type>(a), b);                      \
  }                                                                    \
  inline constexpr unsigned_type max(unsigned_type a, signed_type b) { \
    return max(a, static_cast<unsigned_type>(b));                      \
  }
GATE_MIN_MAX_MIXED(int, unsigned int)
GATE_MIN_MAX_MIXED(long int, unsigned long int)
GATE_MIN_MAX_MIXED(long long int, unsigned long long int)
#undef GATE_MIN_MAX_MIXED
inline float min(float a, float b) { return __builtin_fminf(a, b); }
inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
inline double min(double a, double b) { return __builtin_fmin(a, b); }
inline double max(double a, double b) { return __builtin_fmax(a, b); }
inline double min(float a, double b) { return __builtin_fmin(a, b); }
inline double min(double a, float b) { return __builtin_fmin(a, b); }
inline double max(float a, double b) { return __builtin_fmax(a, b); }
inline double max(double a, float b) { return __builtin_fmax(a, b); }
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline float rsqrtf(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / std::cbrt(static_cast<double>(x))); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline double exp10(double x, int = 0) { return std::pow(10.0, x); }
inline float gate_exp10f(float x) {
  return static_cast<float>(std::pow(10.0, static_cast<double>(x)));
}
inline double sinpi(double x) {
  const double r = std::fmod(x, 2.0);
  if (std::fmod(x, 1.0) == 0.0) return std::copysign(0.0, x);
  return std::sin(r * 3.14159265358979323846);
}
inline double cospi(double x) {
  const double r = std::fabs(std::fmod(x, 2.0));
  if (r == 0.5 || r == 1.5) return 0.0;
  return std::cos(r * 3.14159265358979323846);
}
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
inline void sincos(float x, float* s, float* c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline float normcdf(float x) { return normcdff(x); }
inline double rhypot(double x, double y) { return 1.0 / std::hypot(x, y); }
inline float rhypotf(float x, float y) {
  return static_cast<float>(1.0 / std::hypot(static_cast<double>(x), static_cast<double>(y)));
}
inline float rhypot(float x, float y) { return rhypotf(x, y); }
inline double norm3d(double a, double b, double c) { return std::sqrt(a * a + b * b + c * c); }
inline double norm4d(double a, double b, double c, double d) {
  return std::sqrt(a * a + b * b + c * c + d * d);
}
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
inline float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(a, b, c, d));
}
inline double erfcx(double x) {
  if (x < 25.0) return std::exp(x * x) * std::erfc(x);
  const double r = 1.0 / (x * x);
  return 0.56418958354775628695 / x * (1.0 - 0.5 * r * (1.0 - 1.5 * r * (1.0 - 2.5 * r)));
}
inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline float erfcx(float x) { return erfcxf(x); }
/// Inverse by Newton's method on erf, from a logarithmic start.
inline double erfinv(double y) {
  if (!(y > -1.0 && y < 1.0)) {
    return y == 1.0 ? HUGE_VAL : y == -1.0 ? -HUGE_VAL : __builtin_nan("");
  }
  const double w = std::log1p(-y * y);
  const double t = 2.0 / (3.14159265358979323846 * 0.147) + w / 2.0;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - w / 0.147) - t), y);
  for (int i = 0; i < 4; ++i) {
    const double slope = 1.12837916709551257390 * std::exp(-x * x);
    if (slope == 0.0) break;
    const double error = std::fabs(y) > 0.5
                             ? (y > 0 ? (1.0 - y) - std::erfc(x) : std::erfc(-x) - (1.0 + y))
                             : y - std::erf(x);
    x += (std::fabs(y) > 0.5 ? -error : error) / slope;
  }
  return x;
}
inline float erfinvf(float y) { return static_cast<float>(erfinv(static_cast<double>(y))); }
inline float erfinv(float y) { return erfinvf(y); }
inline double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0)) {
    return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : __builtin_nan("");
  }
  if (y > 0.0625) return erfinv(1.0 - y);
  double x = std::sqrt(-std::log(y));
  for (int i = 0; i < 12; ++i) {
    const double slope = 1.12837916709551257390 * std::exp(-x * x);
    x += (std::erfc(x) - y) / slope;
  }
  return x;
}
inline float erfcinvf(float y) { return static_cast<float>(erfcinv(static_cast<double>(y))); }
inline float erfcinv(float y) { return erfcinvf(y); }
inline double normcdfinv(double y) { return -1.41421356237309504880 * erfcinv(2.0 * y); }
inline float normcdfinvf(float y) { return static_cast<float>(normcdfinv(static_cast<double>(y))); }
inline float normcdfinv(float y) { return normcdfinvf(y); }
inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
inline double cyl_bessel_i1(double x) {
  return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(x)); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(x)); }
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
