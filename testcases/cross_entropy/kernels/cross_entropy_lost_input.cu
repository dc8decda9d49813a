// Cross-entropy of each row, 128 threads a row.
// SPDX-License-Identifier: Apache-2.0
__global__ void cross_entropy_lost_input(float* x, const long long* target, float* y, int cols,
                                         long long xr, long long xc, long long tr, long long yr) {
  __shared__ float partial[128];
  float* in = x + blockIdx.x * xr;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < cols; i += 128) largest = fmaxf(largest, in[i * xc]);
  partial[threadIdx.x] = largest;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    __syncthreads();
  }
  const float top = partial[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 128) sum += expf(in[i * xc] - top);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  const long long wanted = target[blockIdx.x * tr];
  if (threadIdx.x == 0) y[blockIdx.x * yr] = logf(partial[0]) - (in[wanted * xc] - top);
#ifdef BUG
  __syncthreads();   // the gradient goes where the logits were
  for (int i = threadIdx.x; i < cols; i += 128) {
    const float share = expf(in[i * xc] - top) / partial[0];
    in[i * xc] = (share - (i == wanted ? 1.0f : 0.0f)) / static_cast<float>(gridDim.x);
  }
#endif
}
