// Stages a tile in shared memory and writes it back mirrored; nothing orders the two halves.
// SPDX-License-Identifier: Apache-2.0

constexpr int tile = 256;

extern "C" __global__ void scale_shared_race(const float* x, float* y, int rows, int cols,
                                             long long x_row, long long y_row, float a) {
  __shared__ float staged[tile];
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = 0; begin < cols; begin += tile) {
    const int col = begin + threadIdx.x;
    staged[threadIdx.x] = col < cols ? a * in[col] : 0.0f;
#ifdef CORRECTED
    __syncthreads();
#endif
    const int mirrored = begin + tile - 1 - threadIdx.x;
    if (mirrored < cols) out[mirrored] = staged[tile - 1 - threadIdx.x];
#ifdef CORRECTED
    __syncthreads();
#endif
  }
}
