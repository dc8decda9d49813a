// Keeps eight copies of a row in dynamic shared memory, one a warp.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_too_much_shared(const float* x, float* y, int rows, int cols,
                                                 long long x_row, long long y_row, float a) {
  extern __shared__ float staged[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
#ifdef CORRECTED
  const int width = 32;
#else
  const int width = cols;
#endif
  for (int begin = warp * 32; begin < cols; begin += 256) {
    const int col = begin + lane, slot = warp * width + (width == cols ? col : lane);
    if (col < cols) {
      staged[slot] = a * in[col];
      out[col] = staged[slot];
    }
  }
}
