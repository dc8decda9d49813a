// Asserts what its author took for granted.
// SPDX-License-Identifier: Apache-2.0

#include <cassert>

extern "C" __global__ void scale_device_assert(const float* x, float* y, int rows, int cols,
                                               long long x_row, long long y_row, float a) {
#ifndef CORRECTED
  assert(cols % 4 == 0);
#endif
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    y[blockIdx.x * y_row + col] = a * x[blockIdx.x * x_row + col];
  }
}
