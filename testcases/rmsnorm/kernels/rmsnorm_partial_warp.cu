// RMS norm of contiguous groups of four, a warp's sums combined through shared memory.
// SPDX-License-Identifier: Apache-2.0
__global__ void rmsnorm_partial_warp(const float* x, float* y, int cols, long long xr, long long xc,
                                     long long yr, long long yc, float eps) {
  __shared__ float item[256];
  __shared__ float sums[8];
  const int threads = cols / 4, t = threadIdx.x;
  const float* in = x + blockIdx.x * xr;
  float squares = 0.0f;
  for (int k = 0; k < 4 && t < threads; ++k) {
    const float v = in[(4 * t + k) * xc];
    squares += v * v;
  }
  item[t] = squares;
  __syncthreads();
  if (t % 32 == 0) {
    float sum = 0.0f;
    for (int lane = 0; lane < 32 && t + lane < threads; ++lane) sum += item[t + lane];
    sums[t / 32] = sum;
  }
  __syncthreads();
#ifdef BUG
  const int warps = threads >> 5;
#else
  const int warps = (threads + 31) >> 5;
#endif
  float total = 0.0f;
  for (int w = 0; w < warps; ++w) total += sums[w];
  const float scale = rsqrtf(total / static_cast<float>(cols) + eps);
  for (int k = 0; k < 4 && t < threads; ++k) {
    y[blockIdx.x * yr + (4 * t + k) * yc] = in[(4 * t + k) * xc] * scale;
  }
}
