// A tiled product of matrices, templated over type and tile.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

template <typename T, int TILE = 16>
__global__ void matmul_tiled(const T* A, const T* B, T* C, int M, int N, int K) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int start = 0; start < K; start += TILE) {
    const int a_col = start + threadIdx.x, b_row = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] =
        row < M && a_col < K ? static_cast<float>(A[row * K + a_col]) : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] =
        b_row < K && col < N ? static_cast<float>(B[b_row * N + col]) : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = static_cast<T>(sum);
}
