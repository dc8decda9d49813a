// One thread a column, however many there are.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_too_many_threads(const float* x, float* y, int rows, int cols,
                                                  long long x_row, long long y_row, float a) {
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    y[blockIdx.x * y_row + col] = a * x[blockIdx.x * x_row + col];
  }
}
