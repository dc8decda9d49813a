// Conformance snippets: 8-bit floating point.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp8.h>

// snippet: e4m3_from_float
// expect: 0x38 0xc0 0x7e 0x7e 0x7f 0x01 0x00 0x08
extern "C" __global__ void e4m3_from_float(unsigned* out) {
  out[0] = __nv_fp8_e4m3(1.0f).__x;
  out[1] = __nv_fp8_e4m3(-2.0f).__x;
  out[2] = __nv_fp8_e4m3(448.0f).__x;
  out[3] = __nv_fp8_e4m3(1e6f).__x;
  out[4] = __nv_fp8_e4m3(__int_as_float(0x7fffffff)).__x;
  out[5] = __nv_fp8_e4m3(0x1p-9f).__x;
  out[6] = __nv_fp8_e4m3(0x1p-11f).__x;
  out[7] = __nv_fp8_e4m3(0x1p-6f).__x;
}

// snippet: e4m3_to_float
// expect: 1f 448f 0x3b000000 nan
extern "C" __global__ void e4m3_to_float(unsigned* out) {
  const unsigned char patterns[4] = {0x38, 0x7e, 0x01, 0x7f};
  for (int i = 0; i < 4; ++i) {
    __nv_fp8_e4m3 v;
    v.__x = patterns[i];
    out[i] = __float_as_uint(static_cast<float>(v));
  }
}

// snippet: e5m2_from_float
// expect: 0x3c 0xc0 0x7b 0x7b 0x01
extern "C" __global__ void e5m2_from_float(unsigned* out) {
  out[0] = __nv_fp8_e5m2(1.0f).__x;
  out[1] = __nv_fp8_e5m2(-2.0f).__x;
  out[2] = __nv_fp8_e5m2(57344.0f).__x;
  out[3] = __nv_fp8_e5m2(1e6f).__x;
  out[4] = __nv_fp8_e5m2(0x1p-16f).__x;
}

// snippet: e5m2_to_float
// expect: 1f 57344f 0x7f800000
extern "C" __global__ void e5m2_to_float(unsigned* out) {
  const unsigned char patterns[3] = {0x3c, 0x7b, 0x7c};
  for (int i = 0; i < 3; ++i) {
    __nv_fp8_e5m2 v;
    v.__x = patterns[i];
    out[i] = __float_as_uint(static_cast<float>(v));
  }
}

// snippet: fp8_conversion_without_saturation
// expect: 0x7f 0x7c 0x7e 0x7b
extern "C" __global__ void fp8_conversion_without_saturation(unsigned* out) {
  out[0] = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E4M3);
  out[1] = __nv_cvt_float_to_fp8(1e6f, __NV_NOSAT, __NV_E5M2);
  out[2] = __nv_cvt_float_to_fp8(1e6f, __NV_SATFINITE, __NV_E4M3);
  out[3] = __nv_cvt_float_to_fp8(1e6f, __NV_SATFINITE, __NV_E5M2);
}

// snippet: fp8_ties_to_even
// expect: 0x38 0x3a
extern "C" __global__ void fp8_ties_to_even(unsigned* out) {
  out[0] = __nv_fp8_e4m3(1.0625f).__x;
  out[1] = __nv_fp8_e4m3(1.1875f).__x;
}

// snippet: fp8_to_half
// expect: 0x3c00 0x5f00
extern "C" __global__ void fp8_to_half(unsigned* out) {
  out[0] = __nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x;
  out[1] = __nv_cvt_fp8_to_halfraw(0x7e, __NV_E4M3).x;
}

// snippet: fp8_pairs
// expect: 0x4038 1f 2f
extern "C" __global__ void fp8_pairs(unsigned* out) {
  const __nv_fp8x2_e4m3 v(make_float2(1.0f, 2.0f));
  out[0] = v.__x;
  const float2 f = static_cast<float2>(v);
  out[1] = __float_as_uint(f.x);
  out[2] = __float_as_uint(f.y);
}

// snippet: fp8_fours
// expect: 0x48444038 3f
extern "C" __global__ void fp8_fours(unsigned* out) {
  const __nv_fp8x4_e4m3 v(make_float4(1.0f, 2.0f, 3.0f, 4.0f));
  out[0] = v.__x;
  out[1] = __float_as_uint(static_cast<float4>(v).z);
}
