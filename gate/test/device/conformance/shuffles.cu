// Conformance snippets: warp shuffles.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#define FULL 0xffffffffu

// snippet: shuffle_broadcasts_a_lane
// launch: block=32
// expect: 17 17
extern "C" __global__ void shuffle_broadcasts_a_lane(unsigned* out) {
  const unsigned v = __shfl_sync(FULL, threadIdx.x, 17);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 31) out[1] = v;
}

// snippet: shuffle_each_lane_chooses
// launch: block=32
// expect: 31 30 0
extern "C" __global__ void shuffle_each_lane_chooses(unsigned* out) {
  const unsigned v = __shfl_sync(FULL, threadIdx.x, 31 - threadIdx.x);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 1) out[1] = v;
  if (threadIdx.x == 31) out[2] = v;
}

// snippet: shuffle_source_wraps_at_the_width
// launch: block=32
// expect: 1 17
extern "C" __global__ void shuffle_source_wraps_at_the_width(unsigned* out) {
  const unsigned v = __shfl_sync(FULL, threadIdx.x, 17, 16);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 16) out[1] = v;
}

// snippet: shuffle_negative_source_wraps
// launch: block=32
// expect: 31
extern "C" __global__ void shuffle_negative_source_wraps(unsigned* out) {
  const unsigned v = __shfl_sync(FULL, threadIdx.x, -1);
  if (threadIdx.x == 0) out[0] = v;
}

// snippet: shuffle_up
// launch: block=32
// expect: 0 1 2 29
extern "C" __global__ void shuffle_up(unsigned* out) {
  const unsigned v = __shfl_up_sync(FULL, threadIdx.x, 2);
  if (threadIdx.x < 2) out[threadIdx.x] = v;
  if (threadIdx.x == 4) out[2] = v;
  if (threadIdx.x == 31) out[3] = v;
}

// snippet: shuffle_down
// launch: block=32
// expect: 3 31 30 29
extern "C" __global__ void shuffle_down(unsigned* out) {
  const unsigned v = __shfl_down_sync(FULL, threadIdx.x, 3);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 31) out[1] = v;
  if (threadIdx.x == 30) out[2] = v;
  if (threadIdx.x == 29) out[3] = v;
}

// snippet: shuffle_down_stays_in_its_width
// launch: block=32
// expect: 4 7 12
extern "C" __global__ void shuffle_down_stays_in_its_width(unsigned* out) {
  const unsigned v = __shfl_down_sync(FULL, threadIdx.x, 4, 8);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 7) out[1] = v;
  if (threadIdx.x == 8) out[2] = v;
}

// snippet: shuffle_up_stays_in_its_width
// launch: block=32
// expect: 8 9 8
extern "C" __global__ void shuffle_up_stays_in_its_width(unsigned* out) {
  const unsigned v = __shfl_up_sync(FULL, threadIdx.x, 1, 8);
  if (threadIdx.x == 8) out[0] = v;
  if (threadIdx.x == 10) out[1] = v;
  if (threadIdx.x == 9) out[2] = v;
}

// snippet: shuffle_xor
// launch: block=32
// expect: 5 4 26
extern "C" __global__ void shuffle_xor(unsigned* out) {
  const unsigned v = __shfl_xor_sync(FULL, threadIdx.x, 5);
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 1) out[1] = v;
  if (threadIdx.x == 31) out[2] = v;
}


// snippet: shuffle_butterfly_sum
// launch: block=32
// expect: 496 496
extern "C" __global__ void shuffle_butterfly_sum(unsigned* out) {
  unsigned v = threadIdx.x;
  for (int bits = 16; bits > 0; bits /= 2) v += __shfl_xor_sync(FULL, v, bits);
  if (threadIdx.x == 3) out[0] = v;
  if (threadIdx.x == 30) out[1] = v;
}

// snippet: shuffle_inclusive_scan
// launch: block=32
// expect: 1 3 528
extern "C" __global__ void shuffle_inclusive_scan(unsigned* out) {
  unsigned v = threadIdx.x + 1;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(FULL, v, d);
    if (threadIdx.x >= d) v += other;
  }
  if (threadIdx.x == 0) out[0] = v;
  if (threadIdx.x == 1) out[1] = v;
  if (threadIdx.x == 31) out[2] = v;
}

// snippet: shuffle_of_float
// launch: block=32
// expect: 1.5f
extern "C" __global__ void shuffle_of_float(unsigned* out) {
  const float v = __shfl_sync(FULL, threadIdx.x * 0.5f, 3);
  if (threadIdx.x == 9) out[0] = __float_as_uint(v);
}

// snippet: shuffle_of_double
// launch: block=32
// expect: 0x55555555 0x3fd55555
extern "C" __global__ void shuffle_of_double(unsigned* out) {
  const double v = __shfl_sync(FULL, threadIdx.x / 3.0, 1);
  if (threadIdx.x == 9) {
    out[0] = __double2loint(v);
    out[1] = __double2hiint(v);
  }
}

// snippet: shuffle_of_long_long
// launch: block=32
// expect: 0xfffffffe 0xffffffff
extern "C" __global__ void shuffle_of_long_long(unsigned* out) {
  const long long v = __shfl_down_sync(FULL, -static_cast<long long>(threadIdx.x), 2);
  if (threadIdx.x == 0) {
    out[0] = static_cast<unsigned>(v);
    out[1] = static_cast<unsigned>(v >> 32);
  }
}

// snippet: shuffle_of_half
// launch: block=32
// expect: 0x4100
extern "C" __global__ void shuffle_of_half(unsigned* out) {
  const __half v = __shfl_sync(FULL, __float2half(threadIdx.x * 0.5f), 5);
  if (threadIdx.x == 1) out[0] = __half_as_ushort(v);
}

// snippet: shuffle_of_half2
// launch: block=32
// expect: 0x40003c00
extern "C" __global__ void shuffle_of_half2(unsigned* out) {
  const __half2 v = __shfl_xor_sync(FULL, __floats2half2_rn(threadIdx.x, 2.0f), 1);
  if (threadIdx.x == 0) out[0] = *reinterpret_cast<const unsigned*>(&v);
}

// snippet: shuffle_of_bfloat16
// launch: block=32
// expect: 0x4000
extern "C" __global__ void shuffle_of_bfloat16(unsigned* out) {
  const __nv_bfloat16 v = __shfl_sync(FULL, __float2bfloat16(threadIdx.x), 2);
  if (threadIdx.x == 1) out[0] = __bfloat16_as_ushort(v);
}

// snippet: shuffle_among_half_the_warp
// launch: block=32
// expect: 120 376
extern "C" __global__ void shuffle_among_half_the_warp(unsigned* out) {
  unsigned v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffffu, v, d, 16);
    if (threadIdx.x == 0) out[0] = v;
  } else {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff0000u, v, d, 16);
    if (threadIdx.x == 16) out[1] = v;
  }
}

// snippet: shuffle_in_several_warps
// launch: block=96
// expect: 496 1520 2544
extern "C" __global__ void shuffle_in_several_warps(unsigned* out) {
  unsigned v = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
