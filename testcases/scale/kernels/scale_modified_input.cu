// Scales in place and copies.
// SPDX-License-Identifier: Apache-2.0

#ifdef CORRECTED
#define INPUT const float
#else
#define INPUT float
#endif

extern "C" __global__ void scale_modified_input(INPUT* x, float* y, int rows, int cols,
                                                long long x_row, long long y_row, float a) {
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
#ifdef CORRECTED
    y[blockIdx.x * y_row + col] = a * x[blockIdx.x * x_row + col];
#else
    x[blockIdx.x * x_row + col] *= a;
    y[blockIdx.x * y_row + col] = x[blockIdx.x * x_row + col];
#endif
  }
}
