// Bias and GELU in one kernel, with the launcher it came with.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

__global__ void bias_gelu_kernel(const float* x, const float* bias, float* out, int rows,
                                 int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  const float v = x[i] + bias[i % cols];
  out[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

extern "C" void bias_gelu(const float* x, const float* bias, float* out, int rows, int cols,
                          cudaStream_t stream) {
  const int threads = 256;
  bias_gelu_kernel<<<(rows * cols + threads - 1) / threads, threads, 0, stream>>>(x, bias, out,
                                                                                  rows, cols);
}
