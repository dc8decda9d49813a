// Lanes inside the row take their value from a neighbour's register; the mask names all 32 lanes.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_incomplete_collective(const float* x, float* y, int rows, int cols,
                                                       long long x_row, long long y_row, float a) {
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = 0; begin < cols; begin += 32) {
    const int col = begin + threadIdx.x;
#ifdef CORRECTED
    const float mine = col < cols ? a * in[col] : 0.0f;
    const float other = __shfl_xor_sync(0xffffffffu, mine, 1);
    if ((col ^ 1) < cols) out[col ^ 1] = other;
#else
    if (col < cols) {
      const float mine = a * in[col];
      const float other = __shfl_xor_sync(0xffffffffu, mine, 1);
      if ((col ^ 1) < cols)
        out[col ^ 1] = other;
      else
        out[col] = mine;
    }
#endif
    __syncthreads();
  }
#ifdef CORRECTED
  if (cols % 2 == 1 && threadIdx.x == 0) out[cols - 1] = a * in[cols - 1];
#endif
}
