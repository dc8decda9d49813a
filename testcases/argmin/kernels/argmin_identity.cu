// Index of the smallest element, 256 threads a row, ties to the lower index.
// SPDX-License-Identifier: Apache-2.0
__global__ void argmin_identity(const float* x, int* y, int cols, long long xr, long long xc,
                                long long yr) {
  __shared__ float values[256];
  __shared__ int places[256];
  float best = __int_as_float(0x7f7fffff);   // FLT_MAX
  int place = 2147483647;
#ifndef BUG
  best = INFINITY;
#endif
  for (int i = threadIdx.x; i < cols; i += 256) {
    const float v = x[blockIdx.x * xr + i * xc];
#ifdef BUG
    if (v < best) {
#else
    if (v < best || place == 2147483647) {
#endif
      best = v;
      place = i;
    }
  }
  values[threadIdx.x] = best;
  places[threadIdx.x] = place;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = values[threadIdx.x + half];
      const int there = places[threadIdx.x + half];
      const bool equal = other == values[threadIdx.x] && there < places[threadIdx.x];
      if (other < values[threadIdx.x] || equal) {
        values[threadIdx.x] = other;
        places[threadIdx.x] = there;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x * yr] = places[0];
}
