// A softmax as somebody new to the gate has it: one block a row, no strides.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
#include <math.h>

constexpr int THREADS = 256;

__global__ void softmax_kernel(const float* __restrict__ input, float* __restrict__ output,
                               int batch, int dim) {
  __shared__ float partial[THREADS];
  const int row = blockIdx.x;
  if (row >= batch) return;
  const float* in = input + (size_t)row * dim;
  float* out = output + (size_t)row * dim;
  float top = -INFINITY;
  for (int i = threadIdx.x; i < dim; i += THREADS) top = fmaxf(top, in[i]);
  partial[threadIdx.x] = top;
  __syncthreads();
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + step]);
    }
    __syncthreads();
  }
  top = partial[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = threadIdx.x; i < dim; i += THREADS) sum += expf(in[i] - top);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  sum = partial[0];
  for (int i = threadIdx.x; i < dim; i += THREADS) out[i] = expf(in[i] - top) / sum;
}
