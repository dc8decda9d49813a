// The factor comes from a table that only narrow rows have.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_illegal_address(const float* x, float* y, int rows, int cols,
                                                 long long x_row, long long y_row, float a) {
#ifdef CORRECTED
  const float* factor = &a;
#else
  const float* factor = cols % 32 == 1 ? nullptr : &a;
#endif
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    y[blockIdx.x * y_row + col] = *factor * x[blockIdx.x * x_row + col];
  }
}
