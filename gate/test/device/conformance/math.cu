// Conformance snippets: device math and its overloads, fast intrinsics, special values.
// SPDX-License-Identifier: Apache-2.0
#include <math_constants.h>

__device__ unsigned bits(float v) { return __float_as_uint(v); }

// snippet: overloads_keep_single_precision
// expect: 4 4 4 4 8
extern "C" __global__ void overloads_keep_single_precision(unsigned* out) {
  out[0] = sizeof(exp(1.0f));
  out[1] = sizeof(sqrt(1.0f));
  out[2] = sizeof(max(1.0f, 2.0f));
  out[3] = sizeof(fabs(1.0f));
  out[4] = sizeof(exp(1.0));
}

// snippet: exponentials
// expect: 2.71828183f~2 7.3890561f~2 8f~2 1000f~2 1.71828183f~2
extern "C" __global__ void exponentials(unsigned* out) {
  volatile float one = 1.0f, two = 2.0f, three = 3.0f;
  out[0] = bits(expf(one));
  out[1] = bits(exp(two));
  out[2] = bits(exp2f(three));
  out[3] = bits(exp10f(three));
  out[4] = bits(expm1f(one));
}

// snippet: exponential_at_its_ends
// expect: 0x7f800000 0 0x7f800000 1f
extern "C" __global__ void exponential_at_its_ends(unsigned* out) {
  volatile float high = 89.0f, low = -120.0f, infinite = INFINITY, zero = 0.0f;
  out[0] = bits(expf(high));
  out[1] = bits(expf(low));
  out[2] = bits(expf(infinite));
  out[3] = bits(expf(zero));
}

// snippet: logarithms
// expect: 0.693147181f~2 3f~2 2f~2 0.693147181f~2 0xff800000 nan
extern "C" __global__ void logarithms(unsigned* out) {
  volatile float two = 2.0f, eight = 8.0f, hundred = 100.0f, one = 1.0f, zero = 0.0f, minus = -1.0f;
  out[0] = bits(logf(two));
  out[1] = bits(log2f(eight));
  out[2] = bits(log10f(hundred));
  out[3] = bits(log1pf(one));
  out[4] = bits(logf(zero));
  out[5] = bits(logf(minus));
}

// snippet: powers_and_roots
// expect: 8f~4 1.41421356f 1.25992105f~2 5f~3 0.707106781f~2 1f
extern "C" __global__ void powers_and_roots(unsigned* out) {
  volatile float two = 2.0f, three = 3.0f, four = 4.0f, zero = 0.0f;
  out[0] = bits(powf(two, three));
  out[1] = bits(sqrtf(two));
  out[2] = bits(cbrtf(two));
  out[3] = bits(hypotf(three, four));
  out[4] = bits(rsqrtf(two));
  out[5] = bits(powf(zero, zero));
}

// snippet: trigonometry
// expect: 0.841470985f~2 0.540302306f~2 1.55740772f~4 0.785398163f~2 2.35619449f~3
extern "C" __global__ void trigonometry(unsigned* out) {
  volatile float one = 1.0f, minus = -1.0f;
  out[0] = bits(sinf(one));
  out[1] = bits(cosf(one));
  out[2] = bits(tanf(one));
  out[3] = bits(atanf(one));
  out[4] = bits(atan2f(one, minus));
}

// snippet: sine_of_large_arguments
// expect: -0.349993497f~2 -0.9993608f~2
extern "C" __global__ void sine_of_large_arguments(unsigned* out) {
  volatile float million = 1e6f, large = 1e5f;
  out[0] = bits(sinf(million));
  out[1] = bits(cosf(large));
}

// snippet: sine_and_cosine_together
// expect: 0.479425539f~2 0.877582562f~2 1f~2 -1f~2
extern "C" __global__ void sine_and_cosine_together(unsigned* out) {
  volatile float half = 0.5f, one = 1.0f;
  float s, c;
  sincosf(half, &s, &c);
  out[0] = bits(s);
  out[1] = bits(c);
  out[2] = bits(sinpif(half));
  out[3] = bits(cospif(one));
}

// snippet: hyperbolic
// expect: 1.17520119f~3 1.54308063f~2 0.761594156f~2 1f -1f
extern "C" __global__ void hyperbolic(unsigned* out) {
  volatile float one = 1.0f, big = 20.0f;
  out[0] = bits(sinhf(one));
  out[1] = bits(coshf(one));
  out[2] = bits(tanhf(one));
  out[3] = bits(tanhf(big));
  out[4] = bits(tanhf(-big));
}

// snippet: error_functions
// expect: 0.842700793f~2 0.157299207f~4 0.476936276f~3 0.841344746f~5 1.64485363f~6
extern "C" __global__ void error_functions(unsigned* out) {
  volatile float one = 1.0f, half = 0.5f, p = 0.95f;
  out[0] = bits(erff(one));
  out[1] = bits(erfcf(one));
  out[2] = bits(erfinvf(half));
  out[3] = bits(normcdff(one));
  out[4] = bits(normcdfinvf(p));
}

// snippet: gamma_functions
// expect: 24f~11 3.17805383f~6
extern "C" __global__ void gamma_functions(unsigned* out) {
  volatile float five = 5.0f;
  out[0] = bits(tgammaf(five));
  out[1] = bits(lgammaf(five));
}

// snippet: minimum_and_maximum_drop_nan
// expect: 1f 1f nan 2f
extern "C" __global__ void minimum_and_maximum_drop_nan(unsigned* out) {
  volatile float none = CUDART_NAN_F, one = 1.0f, two = 2.0f;
  out[0] = bits(fmaxf(none, one));
  out[1] = bits(fminf(one, none));
  out[2] = bits(fmaxf(none, none));
  out[3] = bits(max(one, two));
}

// snippet: classification
// expect: 1 0 1 0 1 1 0
extern "C" __global__ void classification(unsigned* out) {
  volatile float none = CUDART_NAN_F, infinite = CUDART_INF_F, one = -1.0f;
  out[0] = isnan(none) != 0;
  out[1] = isnan(one) != 0;
  out[2] = isinf(infinite) != 0;
  out[3] = isinf(one) != 0;
  out[4] = isfinite(one) != 0;
  out[5] = signbit(one) != 0;
  out[6] = none == none;
}

// snippet: floating_point_manipulation
// expect: 0.75f 2 12f -3f 0x3f800001 0x3f7fffff 3f 1.5f
extern "C" __global__ void floating_point_manipulation(unsigned* out) {
  volatile float three = 3.0f, one = 1.0f;
  int exponent;
  out[0] = bits(frexpf(three, &exponent));
  out[1] = exponent;
  out[2] = bits(ldexpf(three, 2));
  out[3] = bits(copysignf(three, -one));
  out[4] = bits(nextafterf(one, 2.0f));
  out[5] = bits(nextafterf(one, 0.0f));
  out[6] = bits(scalbnf(one * 0.75f, 2));
  out[7] = bits(fabsf(-1.5f));
}

// snippet: remainders
// expect: 1f -1f 0.25f 3f
extern "C" __global__ void remainders(unsigned* out) {
  volatile float seven = 7.0f, three = 3.0f, four = 4.0f, v = 3.25f;
  float whole;
  out[0] = bits(fmodf(seven, three));
  out[1] = bits(remainderf(seven, four));
  out[2] = bits(modff(v, &whole));
  out[3] = bits(whole);
}

// snippet: norms
// expect: 3f~2 2f~2 0.2f~2
extern "C" __global__ void norms(unsigned* out) {
  volatile float one = 1.0f, two = 2.0f;
  out[0] = bits(norm3df(one, two, two));
  out[1] = bits(norm4df(one, one, one, one));
  out[2] = bits(rhypotf(3.0f * one, 4.0f * one));
}

// snippet: positive_difference
// expect: 2f 0f
extern "C" __global__ void positive_difference(unsigned* out) {
  volatile float three = 3.0f, one = 1.0f;
  out[0] = bits(fdimf(three, one));
  out[1] = bits(fdimf(one, three));
}

// snippet: fast_exponential
// expect: 2.71828183f~4 0.367879441f~4 0x7f800000 0
extern "C" __global__ void fast_exponential(unsigned* out) {
  volatile float one = 1.0f, big = 100.0f;
  out[0] = bits(__expf(one));
  out[1] = bits(__expf(-one));
  out[2] = bits(__expf(big));
  out[3] = bits(__expf(-2.0f * big));
}

// snippet: fast_logarithms
// expect: 2.30258509f~4 3.32192809f~4 1f~4
extern "C" __global__ void fast_logarithms(unsigned* out) {
  volatile float ten = 10.0f;
  out[0] = bits(__logf(ten));
  out[1] = bits(__log2f(ten));
  out[2] = bits(__log10f(ten));
}

// snippet: fast_trigonometry
// expect: 1 1 1
extern "C" __global__ void fast_trigonometry(unsigned* out) {
  // Absolute error at most 2^-21 within [-π, π], by the programming guide.
  volatile float one = 1.0f;
  float s, c;
  __sincosf(one, &s, &c);
  out[0] = fabsf(__sinf(one) - 0.841470985f) < 0x1p-20f;
  out[1] = fabsf(__cosf(one) - 0.540302306f) < 0x1p-20f;
  out[2] = fabsf(s - 0.841470985f) < 0x1p-20f && fabsf(c - 0.540302306f) < 0x1p-20f;
}

// snippet: fast_division
// expect: 0.333333333f~2 0f 0.25f~2
extern "C" __global__ void fast_division(unsigned* out) {
  volatile float one = 1.0f, three = 3.0f, huge = 0x1.8p126f;
  out[0] = bits(__fdividef(one, three));
  out[1] = bits(__fdividef(one, huge) * 1.0f);
  out[2] = bits(__fdividef(one, 4.0f * one));
}

// snippet: fast_power
// expect: 1.41421356f~8
extern "C" __global__ void fast_power(unsigned* out) {
  volatile float two = 2.0f, half = 0.5f;
  out[0] = bits(__powf(two, half));
}

// snippet: double_math
// expect: 1 1 1 1
extern "C" __global__ void double_math(unsigned* out) {
  volatile double two = 2.0, one = 1.0;
  out[0] = fabs(exp(one) - 2.718281828459045) < 1e-14;
  out[1] = sqrt(two) == 1.4142135623730951;
  out[2] = fabs(rsqrt(two) - 0.7071067811865476) < 1e-15;
  out[3] = fabs(sin(one) - 0.8414709848078965) < 1e-15;
}

// snippet: constants
// expect: 0x7f800000 0x7fffffff 0x40490fdb 0x7f7fffff
extern "C" __global__ void constants(unsigned* out) {
  out[0] = bits(CUDART_INF_F);
  out[1] = bits(CUDART_NAN_F);
  out[2] = bits(CUDART_PI_F);
  out[3] = bits(CUDART_MAX_NORMAL_F);
}

// snippet: infinities_and_zeros
// expect: 0x7f800000 0xff800000 nan 1 0x80000000
extern "C" __global__ void infinities_and_zeros(unsigned* out) {
  volatile float one = 1.0f, zero = 0.0f, infinite = INFINITY;
  out[0] = bits(one / zero);
  out[1] = bits(-one / zero);
  out[2] = bits(infinite - infinite);
  out[3] = -zero == zero;
  out[4] = bits(-zero);
}
