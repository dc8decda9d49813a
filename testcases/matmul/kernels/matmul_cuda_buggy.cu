// Matrix product. Bug: the accumulator is overwritten, only the last k survives.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// c[M,N] = a[M,K] b[K,N]: 32 x 32 output tile, serial loop over K, fp32 accumulator.
template <typename T>
__global__ void matmul(const T* a, const T* b, T* c, int m, int k, int n, long long a_row,
                       long long a_col, long long b_row, long long b_col, long long c_row,
                       long long c_col) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    const float left = static_cast<float>(a[row * a_row + i * a_col]);
    const float right = static_cast<float>(b[i * b_row + col * b_col]);
    sum = left * right;
  }
  c[row * c_row + col * c_col] = static_cast<T>(sum);
}
