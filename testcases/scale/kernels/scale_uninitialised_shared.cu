// Accumulates in shared memory that nobody cleared.
// SPDX-License-Identifier: Apache-2.0

constexpr int tile = 128;

extern "C" __global__ void scale_uninitialised_shared(const float* x, float* y, int rows, int cols,
                                                      long long x_row, long long y_row, float a) {
  __shared__ float sums[tile];
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int col = threadIdx.x; col < cols; col += tile) {
#ifdef CORRECTED
    sums[threadIdx.x] = 0.0f;
#endif
    sums[threadIdx.x] += a * in[col];
    out[col] = sums[threadIdx.x];
#ifndef CORRECTED
    sums[threadIdx.x] = 0.0f;  // for the next round; the first has none before it
#endif
  }
}
