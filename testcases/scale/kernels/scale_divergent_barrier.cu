// Full tiles and the tail have a barrier each; in the last tile threads wait at both.
// SPDX-License-Identifier: Apache-2.0

constexpr int tile = 128;

extern "C" __global__ void scale_divergent_barrier(const float* x, float* y, int rows, int cols,
                                                   long long x_row, long long y_row, float a) {
  __shared__ float staged[tile];
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = 0; begin < cols; begin += tile) {
    const int col = begin + threadIdx.x, mirrored = begin + tile - 1 - threadIdx.x;
#ifdef CORRECTED
    staged[threadIdx.x] = col < cols ? a * in[col] : 0.0f;
    __syncthreads();
#else
    if (col < cols) {
      staged[threadIdx.x] = a * in[col];
      __syncthreads();
    } else {
      staged[threadIdx.x] = 0.0f;
      __syncthreads();
    }
#endif
    if (mirrored < cols) out[mirrored] = staged[tile - 1 - threadIdx.x];
    __syncthreads();
  }
}
