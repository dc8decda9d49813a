// Conformance snippets: __half2 pairs.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

__device__ unsigned bits(__half2 h) { return *reinterpret_cast<unsigned*>(&h); }
__device__ __half2 pair(float a, float b) { return __floats2half2_rn(a, b); }

// snippet: half2_construction
// expect: 0x40003c00 0x40003c00 0x3c003c00 0x40003c00
extern "C" __global__ void half2_construction(unsigned* out) {
  out[0] = bits(__floats2half2_rn(1.0f, 2.0f));
  out[1] = bits(__halves2half2(__float2half(1.0f), __float2half(2.0f)));
  out[2] = bits(__float2half2_rn(1.0f));
  out[3] = bits(__float22half2_rn(make_float2(1.0f, 2.0f)));
}

// snippet: half2_parts
// expect: 0x3c00 0x4000 0x3c003c00 0x40004000 0x3c004000
extern "C" __global__ void half2_parts(unsigned* out) {
  const __half2 v = pair(1.0f, 2.0f);
  out[0] = __half_as_ushort(__low2half(v));
  out[1] = __half_as_ushort(__high2half(v));
  out[2] = bits(__low2half2(v));
  out[3] = bits(__high2half2(v));
  out[4] = bits(__lowhigh2highlow(v));
}

// snippet: half2_to_floats
// expect: 1f 2f 1f 2f
extern "C" __global__ void half2_to_floats(unsigned* out) {
  const __half2 v = pair(1.0f, 2.0f);
  out[0] = __float_as_uint(__low2float(v));
  out[1] = __float_as_uint(__high2float(v));
  const float2 f = __half22float2(v);
  out[2] = __float_as_uint(f.x);
  out[3] = __float_as_uint(f.y);
}

// snippet: half2_arithmetic
// expect: 0x44004200 0xbc00bc00 0x42004000 0x38003c00
extern "C" __global__ void half2_arithmetic(unsigned* out) {
  const __half2 a = pair(1.0f, 1.5f), b = pair(2.0f, 2.5f);
  out[0] = bits(__hadd2(a, b));
  out[1] = bits(__hsub2(a, b));
  out[2] = bits(__hmul2(a, pair(2.0f, 2.0f)));
  out[3] = bits(__h2div(pair(1.0f, 1.0f), pair(1.0f, 2.0f)));
}

// snippet: half2_operators
// expect: 0x44004200 0x42004000 1 0
extern "C" __global__ void half2_operators(unsigned* out) {
  const __half2 a = pair(1.0f, 1.5f), b = pair(2.0f, 2.5f);
  out[0] = bits(a + b);
  out[1] = bits(a * pair(2.0f, 2.0f));
  out[2] = a == a;
  out[3] = a == b;
}

// snippet: half2_fused_multiply_add
// expect: 0x48004500
extern "C" __global__ void half2_fused_multiply_add(unsigned* out) {
  out[0] = bits(__hfma2(pair(2.0f, 3.0f), pair(2.0f, 2.0f), pair(1.0f, 2.0f)));
}

// snippet: half2_comparison_values
// expect: 0x00003c00 0x3c003c00
extern "C" __global__ void half2_comparison_values(unsigned* out) {
  out[0] = bits(__hlt2(pair(1.0f, 3.0f), pair(2.0f, 2.0f)));
  out[1] = bits(__hge2(pair(2.0f, 3.0f), pair(2.0f, 2.0f)));
}

// snippet: half2_comparison_masks
// expect: 0x0000ffff 0xffff0000
extern "C" __global__ void half2_comparison_masks(unsigned* out) {
  out[0] = __hlt2_mask(pair(1.0f, 3.0f), pair(2.0f, 2.0f));
  out[1] = __heq2_mask(pair(1.0f, 2.0f), pair(2.0f, 2.0f));
}

// snippet: half2_comparison_of_both
// expect: 0 1 1
extern "C" __global__ void half2_comparison_of_both(unsigned* out) {
  out[0] = __hblt2(pair(1.0f, 3.0f), pair(2.0f, 2.0f));
  out[1] = __hbge2(pair(2.0f, 3.0f), pair(2.0f, 2.0f));
  const __half2 none = __halves2half2(__ushort_as_half(0x7fff), __ushort_as_half(0x7fff));
  out[2] = __hbneu2(none, none);
}

// snippet: half2_maximum_and_minimum
// expect: 0x42004000 0x40003c00
extern "C" __global__ void half2_maximum_and_minimum(unsigned* out) {
  out[0] = bits(__hmax2(pair(1.0f, 3.0f), pair(2.0f, 2.0f)));
  out[1] = bits(__hmin2(pair(1.0f, 3.0f), pair(2.0f, 2.0f)));
}

// snippet: half2_sign
// expect: 0x4000bc00 0x40003c00
extern "C" __global__ void half2_sign(unsigned* out) {
  out[0] = bits(__hneg2(pair(1.0f, -2.0f)));
  out[1] = bits(__habs2(pair(-1.0f, 2.0f)));
}

// snippet: half2_functions
// expect: 0x40003c00 0x34003800 0x40003c00
extern "C" __global__ void half2_functions(unsigned* out) {
  out[0] = bits(h2sqrt(pair(1.0f, 4.0f)));
  out[1] = bits(h2rcp(pair(2.0f, 4.0f)));
  out[2] = bits(h2log2(pair(2.0f, 4.0f)));
}

// snippet: half2_complex_multiply_add
// expect: 0x4900c500
extern "C" __global__ void half2_complex_multiply_add(unsigned* out) {
  // (1 + 2i)(3 + 4i) = -5 + 10i
  out[0] = bits(__hcmadd(pair(1.0f, 2.0f), pair(3.0f, 4.0f), pair(0.0f, 0.0f)));
}

// snippet: half2_vector_loads
// launch: block=4
// expect: 0x3c000000 0x42004000 0x45004400 0x47004600
extern "C" __global__ void half2_vector_loads(unsigned* out) {
  __shared__ __align__(16) half s[8];
  s[threadIdx.x * 2] = __float2half(threadIdx.x * 2.0f);
  s[threadIdx.x * 2 + 1] = __float2half(threadIdx.x * 2.0f + 1.0f);
  __syncthreads();
  out[threadIdx.x] = bits(reinterpret_cast<half2*>(s)[threadIdx.x]);
}
