// Conformance snippets: __nv_bfloat16 and pairs of it.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>

__device__ unsigned bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
__device__ unsigned bits(__nv_bfloat162 h) { return *reinterpret_cast<unsigned*>(&h); }

// snippet: bfloat16_from_float
// expect: 0x3f80 0xc000 0x3eab 0x7f80 0x7fff 0x0001
extern "C" __global__ void bfloat16_from_float(unsigned* out) {
  out[0] = bits(__float2bfloat16(1.0f));
  out[1] = bits(__float2bfloat16(-2.0f));
  out[2] = bits(__float2bfloat16(1.0f / 3.0f));
  out[3] = bits(__float2bfloat16(3.4e38f));
  out[4] = bits(__float2bfloat16(__int_as_float(0x7fffffff)));
  out[5] = bits(__float2bfloat16(0x1p-133f));
}

// snippet: bfloat16_ties_to_even
// expect: 0x3f80 0x3f82
extern "C" __global__ void bfloat16_ties_to_even(unsigned* out) {
  out[0] = bits(__float2bfloat16_rn(1.0f + 0x1p-8f));
  out[1] = bits(__float2bfloat16_rn(1.0f + 3 * 0x1p-8f));
}

// snippet: bfloat16_from_float_modes
// expect: 0x3eaa 0x3eaa 0x3eab 0x7f7f
extern "C" __global__ void bfloat16_from_float_modes(unsigned* out) {
  const float third = 1.0f / 3.0f;
  out[0] = bits(__float2bfloat16_rz(third));
  out[1] = bits(__float2bfloat16_rd(third));
  out[2] = bits(__float2bfloat16_ru(third));
  out[3] = bits(__float2bfloat16_rz(3.4e38f));
}

// snippet: bfloat16_to_float
// expect: 1f 0x00010000 0xff800000
extern "C" __global__ void bfloat16_to_float(unsigned* out) {
  out[0] = __float_as_uint(__bfloat162float(__ushort_as_bfloat16(0x3f80)));
  out[1] = __float_as_uint(__bfloat162float(__ushort_as_bfloat16(0x0001)));
  out[2] = __float_as_uint(__bfloat162float(__ushort_as_bfloat16(0xff80)));
}

// snippet: bfloat16_arithmetic
// expect: 0x4040 0xbf80 0x4000 0x3f00
extern "C" __global__ void bfloat16_arithmetic(unsigned* out) {
  const __nv_bfloat16 one = __float2bfloat16(1.0f), two = __float2bfloat16(2.0f);
  out[0] = bits(one + two);
  out[1] = bits(one - two);
  out[2] = bits(__hmul(one, two));
  out[3] = bits(__hdiv(one, two));
}

// snippet: bfloat16_sum_rounds_once
// expect: 0x4380 0x4382
extern "C" __global__ void bfloat16_sum_rounds_once(unsigned* out) {
  const __nv_bfloat16 big = __float2bfloat16(256.0f);
  out[0] = bits(__hadd(big, __float2bfloat16(1.0f)));
  out[1] = bits(__hadd(big, __float2bfloat16(3.0f)));
}

// snippet: bfloat16_fused_multiply_add
// expect: 0x3880
extern "C" __global__ void bfloat16_fused_multiply_add(unsigned* out) {
  const __nv_bfloat16 a = __float2bfloat16(1.0f + 0x1p-7f);
  out[0] = bits(__hfma(a, a, __float2bfloat16(-(1.0f + 0x1p-6f))));
}

// snippet: bfloat16_comparisons
// expect: 1 0 0 1
extern "C" __global__ void bfloat16_comparisons(unsigned* out) {
  const __nv_bfloat16 one = __float2bfloat16(1.0f), two = __float2bfloat16(2.0f);
  const __nv_bfloat16 none = __ushort_as_bfloat16(0x7fff);
  out[0] = one < two;
  out[1] = __hge(one, two);
  out[2] = __heq(none, none);
  out[3] = __hisnan(none);
}

// snippet: bfloat16_maximum_and_minimum
// expect: 0x4000 0x3f80 0x3f80
extern "C" __global__ void bfloat16_maximum_and_minimum(unsigned* out) {
  const __nv_bfloat16 one = __float2bfloat16(1.0f), two = __float2bfloat16(2.0f);
  out[0] = bits(__hmax(one, two));
  out[1] = bits(__hmin(one, two));
  out[2] = bits(__hmin(one, __ushort_as_bfloat16(0x7fff)));
}

// snippet: bfloat16_functions
// expect: 0x3fb5 0x3f00 0x4000 0x3f80
extern "C" __global__ void bfloat16_functions(unsigned* out) {
  out[0] = bits(hsqrt(__float2bfloat16(2.0f)));
  out[1] = bits(hrcp(__float2bfloat16(2.0f)));
  out[2] = bits(hlog2(__float2bfloat16(4.0f)));
  out[3] = bits(hexp(__float2bfloat16(0.0f)));
}

// snippet: bfloat16_pairs
// expect: 0x40003f80 0x40403f80 0x3f804000
extern "C" __global__ void bfloat16_pairs(unsigned* out) {
  const __nv_bfloat162 v = __floats2bfloat162_rn(1.0f, 2.0f);
  out[0] = bits(v);
  out[1] = bits(__hadd2(v, __floats2bfloat162_rn(0.0f, 1.0f)));
  out[2] = bits(__lowhigh2highlow(v));
}

// snippet: bfloat16_pairs_to_floats
// expect: 1f 2f 2f
extern "C" __global__ void bfloat16_pairs_to_floats(unsigned* out) {
  const __nv_bfloat162 v = __halves2bfloat162(__float2bfloat16(1.0f), __float2bfloat16(2.0f));
  const float2 f = __bfloat1622float2(v);
  out[0] = __float_as_uint(f.x);
  out[1] = __float_as_uint(f.y);
  out[2] = __float_as_uint(__high2float(v));
}

// snippet: bfloat16_to_and_from_integers
// expect: 2 3 0x4380 0x4381
extern "C" __global__ void bfloat16_to_and_from_integers(unsigned* out) {
  out[0] = __bfloat162int_rn(__float2bfloat16(2.5f));
  out[1] = __bfloat162int_ru(__float2bfloat16(2.5f));
  out[2] = bits(__int2bfloat16_rn(257));
  out[3] = bits(__int2bfloat16_ru(257));
}

// snippet: bfloat16_implicit_conversions
// expect: 1.5f 0x3fc0
extern "C" __global__ void bfloat16_implicit_conversions(unsigned* out) {
  const nv_bfloat16 h = 1.5f;
  const float f = h;
  out[0] = __float_as_uint(f);
  out[1] = bits(static_cast<nv_bfloat16>(f));
}
