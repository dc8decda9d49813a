// Attention of one head, tiled, online softmax. Bug: the accumulator is not rescaled
// when the running maximum rises.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int key_tile_max = 32;
constexpr int query_tile_max = 8;

/// Online softmax over key tiles. Block (next power of two of d, query tile): thread (i, j) owns
/// column i of query j; a tile holds `key_tile` keys.
template <typename T>
__global__ void flash_attention(const T* q, const T* k, const T* v, T* o, int n, int d, int m,
                                int key_tile, long long q_row, long long q_col, long long k_row,
                                long long k_col, long long v_row, long long v_col, long long o_row,
                                long long o_col) {
  __shared__ float scores[query_tile_max][key_tile_max];
  const int query = blockIdx.x * blockDim.y + threadIdx.y;
  const bool live = query < m;
  const float scale = rsqrtf(static_cast<float>(d));
  float top = -INFINITY, sum = 0.0f, out = 0.0f;
  for (int first = 0; first < n; first += key_tile) {
    for (int j = threadIdx.x; j < key_tile; j += blockDim.x) {
      const int key = first + j;
      float score = -INFINITY;
      if (live && key < n) {
        float dot = 0.0f;
        for (int i = 0; i < d; ++i) {
          dot += static_cast<float>(q[query * q_row + i * q_col]) *
                 static_cast<float>(k[key * k_row + i * k_col]);
        }
        score = dot * scale;
      }
      scores[threadIdx.y][j] = score;
    }
    __syncthreads();
    const int keys = min(key_tile, n - first);
    float tile_top = top;
    for (int j = 0; j < keys; ++j) tile_top = fmaxf(tile_top, scores[threadIdx.y][j]);
    const float shrink = expf(top - tile_top);
    sum *= shrink;
    for (int j = 0; j < keys; ++j) {
      const float weight = expf(scores[threadIdx.y][j] - tile_top);
      sum += weight;
      if (threadIdx.x < d) {
        out += weight * static_cast<float>(v[(first + j) * v_row + threadIdx.x * v_col]);
      }
    }
    top = tile_top;
    __syncthreads();
  }
  if (live && threadIdx.x < d) {
    o[query * o_row + threadIdx.x * o_col] = static_cast<T>(out / sum);
  }
}
