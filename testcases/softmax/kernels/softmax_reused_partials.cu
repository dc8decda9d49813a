// Softmax of a row by 512 threads: block maximum, then block sum, through one shared array.
// SPDX-License-Identifier: Apache-2.0
__global__ void softmax_reused_partials(const float* x, float* y, int cols, long long xr,
                                        long long xc, long long yr, long long yc) {
  __shared__ float partial[32];
  const float* in = x + blockIdx.x * xr;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float top = -INFINITY;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) top = fmaxf(top, in[i * xc]);
  for (int step = 16; step > 0; step /= 2) {
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, step));
  }
  if (lane == 0) partial[warp] = top;
  __syncthreads();
  if (warp == warps - 1) {
    float v = lane < warps ? partial[lane] : -INFINITY;
    for (int step = 16; step > 0; step /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
    if (lane == 0) partial[warp] = v;
  }
  __syncthreads();
  top = partial[warps - 1];
#ifndef BUG
  __syncthreads();   // everybody has read the maximum before its place is used again
#endif
  float sum = 0.0f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += expf(in[i * xc] - top);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float v = lane < warps ? partial[lane] : 0.0f;
    for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    if (lane == 0) partial[0] = v;
  }
  __syncthreads();
  sum = partial[0];
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    y[blockIdx.x * yr + i * yc] = expf(in[i * xc] - top) / sum;
  }
}
