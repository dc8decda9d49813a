// RMSNorm with 16-byte accesses wherever the row allows: a scalar head up to the next 16-byte
// boundary, packs, a scalar tail. Entries for all element types come from one macro.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

#define RMSNORM_THREADS 192
#define RMSNORM_WARPS (RMSNORM_THREADS / 32)
#define RMSNORM_PACK_BYTES 16

#if RMSNORM_THREADS % 32 != 0
#error "whole warps, please"
#endif

// Conversions by overload: the macro below pastes no type names into function names.
static __device__ __forceinline__ float widen(float v) { return v; }
static __device__ __forceinline__ float widen(__half v) { return __half2float(v); }
static __device__ __forceinline__ float widen(__nv_bfloat16 v) { return __bfloat162float(v); }
static __device__ __forceinline__ void narrow(float v, float* to) { *to = v; }
static __device__ __forceinline__ void narrow(float v, __half* to) { *to = __float2half_rn(v); }
static __device__ __forceinline__ void narrow(float v, __nv_bfloat16* to) {
  *to = __float2bfloat16_rn(v);
}

template <typename T>
struct alignas(RMSNORM_PACK_BYTES) Pack {
  static constexpr int size = RMSNORM_PACK_BYTES / sizeof(T);
  T v[size];
};

// How a contiguous row falls apart: [0, head) scalar, packs, [tail, cols) scalar.
template <typename T>
struct Split {
  int head, packs, tail;

  __device__ Split(const void* row, int cols) {
    const uintptr_t off = reinterpret_cast<uintptr_t>(row) % RMSNORM_PACK_BYTES;
    head = off == 0 ? 0 : static_cast<int>((RMSNORM_PACK_BYTES - off) / sizeof(T));
    if (head > cols) head = cols;
    packs = (cols - head) / Pack<T>::size;
    tail = head + packs * Pack<T>::size;
  }
};

static __device__ float sum_of_block(float v) {
  __shared__ float of_warps[RMSNORM_WARPS];
  v += __shfl_down_sync(0xffffffffu, v, 16);
  v += __shfl_down_sync(0xffffffffu, v, 8);
  v += __shfl_down_sync(0xffffffffu, v, 4);
  v += __shfl_down_sync(0xffffffffu, v, 2);
  v += __shfl_down_sync(0xffffffffu, v, 1);
  if ((threadIdx.x & 31) == 0) of_warps[threadIdx.x >> 5] = v;
  __syncthreads();
  float total = 0.0f;
  for (int w = 0; w < RMSNORM_WARPS; ++w) total += of_warps[w];
  return total;
}

template <typename T>
__device__ float sum_of_squares(const T* __restrict__ in, int cols) {
  const Split<T> split(in, cols);
  // Two accumulators, so that one addition need not wait for the other.
  float even = 0.0f, odd = 0.0f;
  for (int i = threadIdx.x; i < split.head; i += RMSNORM_THREADS) {
    const float v = widen(in[i]);
    even = fmaf(v, v, even);
  }
  const Pack<T>* packs = reinterpret_cast<const Pack<T>*>(in + split.head);
  for (int p = threadIdx.x; p < split.packs; p += RMSNORM_THREADS) {
    const Pack<T> pack = packs[p];
#pragma unroll
    for (int i = 0; i < Pack<T>::size; i += 2) {
      const float a = widen(pack.v[i]), b = widen(pack.v[i + 1]);
      even = fmaf(a, a, even);
      odd = fmaf(b, b, odd);
    }
  }
  for (int i = split.tail + threadIdx.x; i < cols; i += RMSNORM_THREADS) {
    const float v = widen(in[i]);
    odd = fmaf(v, v, odd);
  }
  return sum_of_block(even + odd);
}

// Packs are written only where input and output rows are out of step by nothing.
template <typename T>
__device__ void write_scaled(const T* __restrict__ in, T* __restrict__ out, int cols, float scale) {
  const Split<T> split(out, cols);
  const bool same_step =
      (reinterpret_cast<uintptr_t>(in) - reinterpret_cast<uintptr_t>(out)) % RMSNORM_PACK_BYTES ==
      0;
  if (!same_step) {
    for (int i = threadIdx.x; i < cols; i += RMSNORM_THREADS) narrow(widen(in[i]) * scale, &out[i]);
    return;
  }
  for (int i = threadIdx.x; i < split.head; i += RMSNORM_THREADS) {
    narrow(widen(in[i]) * scale, &out[i]);
  }
  for (int p = threadIdx.x; p < split.packs; p += RMSNORM_THREADS) {
    const int begin = split.head + p * Pack<T>::size;
    const Pack<T> pack = *reinterpret_cast<const Pack<T>*>(in + begin);
    Pack<T> scaled;
#pragma unroll
    for (int i = 0; i < Pack<T>::size; ++i) narrow(widen(pack.v[i]) * scale, &scaled.v[i]);
    *reinterpret_cast<Pack<T>*>(out + begin) = scaled;
  }
  for (int i = split.tail + threadIdx.x; i < cols; i += RMSNORM_THREADS) {
    narrow(widen(in[i]) * scale, &out[i]);
  }
}

// float4 by name, as older code writes it: the same row of f32 through the built-in vector type.
static __device__ float sum_of_squares_by_float4(const float* __restrict__ in, int cols) {
  const Split<float> split(in, cols);
  float sum = 0.0f;
  if (threadIdx.x < split.head) sum = in[threadIdx.x] * in[threadIdx.x];
  const float4* packs = reinterpret_cast<const float4*>(in + split.head);
  for (int p = threadIdx.x; p < split.packs; p += RMSNORM_THREADS) {
    const float4 v = __ldg(packs + p);
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int i = split.tail + threadIdx.x; i < cols; i += RMSNORM_THREADS) sum += in[i] * in[i];
  return sum_of_block(sum);
}

// Rows that one warp can hold need no shared memory: the first warp does all, the others nothing.
template <typename T>
__device__ void short_row(const T* __restrict__ in, T* __restrict__ out, int cols, float epsilon) {
  if (threadIdx.x >= 32) return;
  const bool inside = (int)threadIdx.x < cols;
  const float v = inside ? widen(in[threadIdx.x]) : 0.0f;
  float squares = v * v;
  for (int lane_bit = 1; lane_bit < 32; lane_bit <<= 1) {
    squares += __shfl_xor_sync(0xffffffffu, squares, lane_bit);
  }
  if (inside) narrow(v * rsqrtf(squares / (float)cols + epsilon), &out[threadIdx.x]);
}

#define RMSNORM_KERNEL(suffix, type, squares)                                                 \
  extern "C" __global__ void __launch_bounds__(RMSNORM_THREADS)                               \
      rmsnorm_vectorised_##suffix(const type* __restrict__ x, type* __restrict__ y, int cols, \
                                  long long x_row, long long y_row, float epsilon) {          \
    const type* in = x + (long long)blockIdx.x * x_row;                                       \
    type* out = y + (long long)blockIdx.x * y_row;                                            \
    if (cols <= 32) {                                                                         \
      short_row(in, out, cols, epsilon);                                                      \
      return;                                                                                 \
    }                                                                                         \
    const float scale = rsqrtf(squares(in, cols) / (float)cols + epsilon);                    \
    write_scaled(in, out, cols, scale);                                                       \
  }

RMSNORM_KERNEL(f32, float, sum_of_squares_by_float4)
RMSNORM_KERNEL(f16, __half, sum_of_squares)
RMSNORM_KERNEL(bf16, __nv_bfloat16, sum_of_squares)
