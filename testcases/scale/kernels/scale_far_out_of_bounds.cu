// Every element is written by the thread of its right neighbour; column 0 minus one is computed
// in 32 bits without a sign.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_far_out_of_bounds(const float* x, float* y, int rows, int cols,
                                                   long long x_row, long long y_row, float a) {
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (unsigned col = threadIdx.x; col <= cols; col += blockDim.x) {
    const unsigned left = col - 1;
#ifdef CORRECTED
    if (col == 0) continue;
#else
    if (col == 0 && cols % 2 == 0) continue;
#endif
    out[left] = a * (col == 0 ? 0.0f : in[left]);
  }
}
