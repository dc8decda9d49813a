// As the mirrored tile, and warps lose time in between that depends on the clock.
// SPDX-License-Identifier: Apache-2.0

constexpr int tile = 256;

__device__ void lose_time() {
  const long long begin = clock64();
  const long long steps = (begin ^ begin >> 7) % 61 * 16;
  while (clock64() - begin < steps) {
  }
}

extern "C" __global__ void scale_race_with_jitter(const float* x, float* y, int rows, int cols,
                                                  long long x_row, long long y_row, float a) {
  __shared__ float staged[tile];
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = 0; begin < cols; begin += tile) {
    const int col = begin + threadIdx.x;
    lose_time();
    staged[threadIdx.x] = col < cols ? a * in[col] : 0.0f;
#ifdef CORRECTED
    __syncthreads();
#endif
    lose_time();
    const int mirrored = begin + tile - 1 - threadIdx.x;
    if (mirrored < cols) out[mirrored] = staged[tile - 1 - threadIdx.x];
#ifdef CORRECTED
    __syncthreads();
#endif
  }
}
