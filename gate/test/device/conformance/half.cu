// Conformance snippets: __half scalars.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

__device__ unsigned bits(__half h) { return __half_as_ushort(h); }

// snippet: half_from_float
// expect: 0x3c00 0xc000 0x3555 0x7bff 0x7c00 0x0001 0x0000 0x7fff
extern "C" __global__ void half_from_float(unsigned* out) {
  out[0] = bits(__float2half(1.0f));
  out[1] = bits(__float2half(-2.0f));
  out[2] = bits(__float2half(1.0f / 3.0f));
  out[3] = bits(__float2half(65504.0f));
  out[4] = bits(__float2half(65520.0f));
  out[5] = bits(__float2half(0x1p-24f));
  out[6] = bits(__float2half(0x1p-25f));
  out[7] = bits(__float2half(__int_as_float(0x7fffffff)));
}

// snippet: half_from_float_ties_to_even
// expect: 0x3c00 0x3c02
extern "C" __global__ void half_from_float_ties_to_even(unsigned* out) {
  out[0] = bits(__float2half_rn(1.0f + 0x1p-11f));
  out[1] = bits(__float2half_rn(1.0f + 3 * 0x1p-11f));
}

// snippet: half_from_float_modes
// expect: 0x3555 0x3555 0x3556 0xb556 0xb555 0x7bff 0x7c00
extern "C" __global__ void half_from_float_modes(unsigned* out) {
  const float third = 1.0f / 3.0f;
  out[0] = bits(__float2half_rz(third));
  out[1] = bits(__float2half_rd(third));
  out[2] = bits(__float2half_ru(third));
  out[3] = bits(__float2half_rd(-third));
  out[4] = bits(__float2half_ru(-third));
  out[5] = bits(__float2half_rz(1e6f));
  out[6] = bits(__float2half_ru(1e6f));
}

// snippet: half_to_float
// expect: 1f 0x33800000 0x7f800000 65504f
extern "C" __global__ void half_to_float(unsigned* out) {
  out[0] = __float_as_uint(__half2float(__ushort_as_half(0x3c00)));
  out[1] = __float_as_uint(__half2float(__ushort_as_half(0x0001)));
  out[2] = __float_as_uint(__half2float(__ushort_as_half(0x7c00)));
  out[3] = __float_as_uint(__half2float(__ushort_as_half(0x7bff)));
}

// snippet: half_arithmetic
// expect: 0x4200 0xbc00 0x4000 0x3800
extern "C" __global__ void half_arithmetic(unsigned* out) {
  const __half one = __float2half(1.0f), two = __float2half(2.0f);
  out[0] = bits(__hadd(one, two));
  out[1] = bits(__hsub(one, two));
  out[2] = bits(__hmul(one, two));
  out[3] = bits(__hdiv(one, two));
}

// snippet: half_operators
// expect: 0x4200 0xbc00 0x4000 0x3800 0xbc00 1 0
extern "C" __global__ void half_operators(unsigned* out) {
  __half one = __float2half(1.0f), two = __float2half(2.0f);
  out[0] = bits(one + two);
  out[1] = bits(one - two);
  out[2] = bits(one * two);
  out[3] = bits(one / two);
  out[4] = bits(-one);
  out[5] = one < two;
  out[6] = one >= two;
}

// snippet: half_compound_assignment
// expect: 0x4500 0x4400
extern "C" __global__ void half_compound_assignment(unsigned* out) {
  __half v = __float2half(2.0f);
  v += __float2half(1.0f);
  v *= __float2half(2.0f);
  v -= __float2half(1.0f);
  out[0] = bits(v);
  --v;
  out[1] = bits(v);
}

// snippet: half_sum_rounds_once
// expect: 0x6800 0x6802
extern "C" __global__ void half_sum_rounds_once(unsigned* out) {
  const __half big = __float2half(2048.0f);
  out[0] = bits(__hadd(big, __float2half(1.0f)));
  out[1] = bits(__hadd(big, __float2half(3.0f)));
}

// snippet: half_overflow_and_subnormals
// expect: 0x7c00 0x0002 0x0000
extern "C" __global__ void half_overflow_and_subnormals(unsigned* out) {
  out[0] = bits(__hmul(__float2half(300.0f), __float2half(300.0f)));
  out[1] = bits(__hadd(__ushort_as_half(1), __ushort_as_half(1)));
  out[2] = bits(__hmul(__ushort_as_half(1), __float2half(0.25f)));
}

// snippet: half_fused_multiply_add
// expect: 0x0010 0x3c02
extern "C" __global__ void half_fused_multiply_add(unsigned* out) {
  const __half a = __float2half(1.0f + 0x1p-10f);
  // a·a = 1 + 2^-9 + 2^-20: only a fused operation keeps the last part.
  out[0] = bits(__hfma(a, a, __float2half(-(1.0f + 0x1p-9f))));
  out[1] = bits(__hmul(a, a));
}

// snippet: half_comparisons_with_nan
// expect: 0 1 0 1 1
extern "C" __global__ void half_comparisons_with_nan(unsigned* out) {
  const __half none = __ushort_as_half(0x7fff), one = __float2half(1.0f);
  out[0] = __heq(none, none);
  out[1] = __hneu(none, none);
  out[2] = __hlt(none, one);
  out[3] = __hltu(none, one);
  out[4] = __hisnan(none);
}

// snippet: half_maximum_and_minimum
// expect: 0x4000 0x3c00 0x3c00 0x7fff 0x0000
extern "C" __global__ void half_maximum_and_minimum(unsigned* out) {
  const __half one = __float2half(1.0f), two = __float2half(2.0f), none = __ushort_as_half(0x7fff);
  out[0] = bits(__hmax(one, two));
  out[1] = bits(__hmin(one, two));
  out[2] = bits(__hmax(one, none));
  out[3] = bits(__hmax_nan(one, none));
  out[4] = bits(__hmax(__ushort_as_half(0x8000), __ushort_as_half(0x0000)));
}

// snippet: half_sign_and_infinity
// expect: 0xbc00 0x3c00 1 -1 0
extern "C" __global__ void half_sign_and_infinity(unsigned* out) {
  out[0] = bits(__hneg(__float2half(1.0f)));
  out[1] = bits(__habs(__float2half(-1.0f)));
  out[2] = __hisinf(__ushort_as_half(0x7c00));
  out[3] = __hisinf(__ushort_as_half(0xfc00));
  out[4] = __hisinf(__float2half(2.0f));
}

// snippet: half_saturated_arithmetic
// expect: 0x3c00 0x0000 0x3800
extern "C" __global__ void half_saturated_arithmetic(unsigned* out) {
  out[0] = bits(__hadd_sat(__float2half(0.75f), __float2half(0.75f)));
  out[1] = bits(__hsub_sat(__float2half(0.25f), __float2half(0.75f)));
  out[2] = bits(__hmul_sat(__float2half(2.0f), __float2half(0.25f)));
}

// snippet: half_functions
// expect: 0x3da8 0x39a8 0x3800 0x4000 0x4400 0x3c00
extern "C" __global__ void half_functions(unsigned* out) {
  const __half two = __float2half(2.0f);
  out[0] = bits(hsqrt(two));
  out[1] = bits(hrsqrt(two));
  out[2] = bits(hrcp(two));
  out[3] = bits(hlog2(__float2half(4.0f)));
  out[4] = bits(hexp2(two));
  out[5] = bits(hexp(__float2half(0.0f)));
}

// snippet: half_rounding_functions
// expect: 0x4200 0xc200 0x4000 0x4000
extern "C" __global__ void half_rounding_functions(unsigned* out) {
  out[0] = bits(hceil(__float2half(2.1f)));
  out[1] = bits(hfloor(__float2half(-2.1f)));
  out[2] = bits(htrunc(__float2half(2.9f)));
  out[3] = bits(hrint(__float2half(2.5f)));
}

// snippet: half_to_integers
// expect: 2 3 2 0xffff 0 -3
extern "C" __global__ void half_to_integers(unsigned* out) {
  out[0] = __half2int_rn(__float2half(2.5f));
  out[1] = __half2int_ru(__float2half(2.5f));
  out[2] = __half2uint_rz(__float2half(2.9f));
  out[3] = __half2ushort_rn(__ushort_as_half(0x7c00));
  out[4] = __half2int_rn(__ushort_as_half(0x7fff));
  out[5] = __half2int_rd(__float2half(-2.5f));
}

// snippet: half_from_integers
// expect: 0x6800 0x6800 0x6801 0x7c00 0xc200
extern "C" __global__ void half_from_integers(unsigned* out) {
  out[0] = bits(__int2half_rn(2049));
  out[1] = bits(__int2half_rz(2049));
  out[2] = bits(__int2half_ru(2049));
  out[3] = bits(__uint2half_rn(70000u));
  out[4] = bits(__short2half_rn(-3));
}

// snippet: half_implicit_conversions
// expect: 1.5f 3 0x3e00
extern "C" __global__ void half_implicit_conversions(unsigned* out) {
  const half h = 1.5f;
  const float f = h;
  out[0] = __float_as_uint(f);
  out[1] = static_cast<int>(half(3.75));
  out[2] = bits(static_cast<half>(f));
}

// snippet: half_size_and_alignment
// expect: 2 2 4 4
extern "C" __global__ void half_size_and_alignment(unsigned* out) {
  out[0] = sizeof(half);
  out[1] = alignof(half);
  out[2] = sizeof(half2);
  out[3] = alignof(half2);
}
