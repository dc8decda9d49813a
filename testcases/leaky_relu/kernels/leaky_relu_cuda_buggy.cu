// Leaky ReLU, one thread an element, masked tail. Bug: slope 0.1, whatever the attribute says.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__global__ void leaky_relu(const T* x, T* y, int rows, int cols, float /*slope*/, long long x_row,
                           long long x_col, long long y_row, long long y_col) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool inside = i < static_cast<long long>(rows) * cols;
  const long long row = i / cols, col = i % cols;
  const float v = inside ? static_cast<float>(x[row * x_row + col * x_col]) : 0.0f;
  const float result = v > 0.0f ? v : 0.1f * v;
  if (inside) y[row * y_row + col * y_col] = static_cast<T>(result);
}
