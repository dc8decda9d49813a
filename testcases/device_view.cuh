// Views of tensors and element conversions, for the catalogue's CUDA kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T, int rank>
struct View {
  T* data;
  long long stride[rank];
  __device__ T& operator()(long long i) const { return data[i * stride[0]]; }
  __device__ T& operator()(long long i, long long j) const {
    return data[i * stride[0] + j * stride[1]];
  }
  __device__ T& operator()(long long i, long long j, long long k) const {
    return data[i * stride[0] + j * stride[1] + k * stride[2]];
  }
  __device__ T& operator()(long long i, long long j, long long k, long long l) const {
    return data[i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]];
  }
};

__device__ inline float load(float x) { return x; }
__device__ inline float load(__half x) { return __half2float(x); }
__device__ inline float load(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ inline void store(float& to, float x) { to = x; }
__device__ inline void store(__half& to, float x) { to = __float2half(x); }
__device__ inline void store(__nv_bfloat16& to, float x) { to = __float2bfloat16(x); }
