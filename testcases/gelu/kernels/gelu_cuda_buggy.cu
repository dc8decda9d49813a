// GELU, tanh form, one thread an element, masked tail. Bug: the factor one half is dropped.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__global__ void gelu(const T* x, T* y, int rows, int cols, long long x_row, long long x_col,
                     long long y_row, long long y_col) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = i < static_cast<long long>(rows) * cols;
  const long long row = i / cols, col = i % cols;
  const float v = inside ? static_cast<float>(x[row * x_row + col * x_col]) : 0.0f;
  const float inner = 0.7978845608f * (v + 0.044715f * v * v * v);
  const float result = v * (1.0f + tanhf(inner));
  if (inside) y[row * y_row + col * y_col] = static_cast<T>(result);
}
