// Lanes of a warp swap values through shared memory, as if a warp ran in lockstep.
// SPDX-License-Identifier: Apache-2.0

constexpr int warps = 4;

extern "C" __global__ void scale_missing_syncwarp(const float* x, float* y, int rows, int cols,
                                                  long long x_row, long long y_row, float a) {
  __shared__ float staged[warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = warp * 32; begin < cols; begin += warps * 32) {
    staged[warp][lane] = begin + lane < cols ? a * in[begin + lane] : 0.0f;
#ifdef CORRECTED
    __syncwarp();
#endif
    const int other = lane ^ 1;
    if (begin + other < cols) out[begin + other] = staged[warp][other];
#ifdef CORRECTED
    __syncwarp();
#endif
  }
}
