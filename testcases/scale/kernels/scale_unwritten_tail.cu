// Two elements a thread; the last one of an odd row has none.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_unwritten_tail(const float* x, float* y, int rows, int cols,
                                                long long x_row, long long y_row, float a) {
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int pair = threadIdx.x; pair < cols / 2; pair += blockDim.x) {
    out[2 * pair] = a * in[2 * pair];
    out[2 * pair + 1] = a * in[2 * pair + 1];
  }
#ifdef CORRECTED
  if (cols % 2 == 1 && threadIdx.x == 0) out[cols - 1] = a * in[cols - 1];
#endif
}
