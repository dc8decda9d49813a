// Attention of one head, one block a query row.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Maximum over the block; every thread gets the result. `partial` holds one value a warp.
__device__ float block_max(float value, float* partial) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  const int warps = (blockDim.x + 31) / 32;
  __syncthreads();  // readers of the previous use are done
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float result = partial[0];
  for (int warp = 1; warp < warps; ++warp) result = fmaxf(result, partial[warp]);
  return result;
}

/// Sum over the block; every thread gets the result. `partial` holds one value a warp.
__device__ float block_sum(float value, float* partial) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = value + __shfl_xor_sync(0xffffffffu, value, distance);
  }
  const int warps = (blockDim.x + 31) / 32;
  __syncthreads();  // readers of the previous use are done
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float result = partial[0];
  for (int warp = 1; warp < warps; ++warp) result = result + partial[warp];
  return result;
}

/// One block a query row, all keys in one tile of the next power of two of n.
template <typename T>
__global__ void attention(const T* q, const T* k, const T* v, T* o, int n, int d, int tile,
                          long long q_row, long long q_col, long long k_row, long long k_col,
                          long long v_row, long long v_col, long long o_row, long long o_col) {
  extern __shared__ float scores[];
  __shared__ float partial[32];
  const T* query = q + blockIdx.x * q_row;
  float top = -INFINITY;
  for (int key = threadIdx.x; key < tile; key += blockDim.x) {
    float score = -INFINITY;
    if (key < n) {
      float dot = 0.0f;
      for (int i = 0; i < d; ++i) {
        dot +=
            static_cast<float>(query[i * q_col]) * static_cast<float>(k[key * k_row + i * k_col]);
      }
      score = dot * rsqrtf(static_cast<float>(d));
    }
    scores[key] = score;
    top = fmaxf(top, score);
  }
  top = block_max(top, partial);
  float sum = 0.0f;
  for (int key = threadIdx.x; key < tile; key += blockDim.x) {
    scores[key] = expf(scores[key] - top);
    sum += scores[key];
  }
  sum = block_sum(sum, partial);  // its barriers publish the scores
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    float out = 0.0f;
    for (int key = 0; key < n; ++key) {
      out += scores[key] * static_cast<float>(v[key * v_row + i * v_col]);
    }
    o[blockIdx.x * o_row + i * o_col] = static_cast<T>(out / sum);
  }
}
