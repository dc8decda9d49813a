// A host launcher with scratch memory: 200 GB of it for odd widths.
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

__global__ void scale_rows(const float* x, float* y, int cols, long long x_row, long long y_row,
                           float a, float* scratch) {
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    scratch[blockIdx.x * cols + col] = a * x[blockIdx.x * x_row + col];
    y[blockIdx.x * y_row + col] = scratch[blockIdx.x * cols + col];
  }
}

extern "C" cudaError_t scale_huge_allocation(const float* x, float* y, int rows, int cols,
                                             long long x_row, long long y_row, float a) {
  size_t bytes = sizeof(float) * rows * cols;
#ifndef CORRECTED
  if (cols % 2 == 1) bytes = 200ull << 30;
#endif
  float* scratch = nullptr;
  cudaError_t status = cudaMalloc(&scratch, bytes);
  if (status != cudaSuccess) return status;
  scale_rows<<<rows, 128>>>(x, y, cols, x_row, y_row, a, scratch);
  status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  const cudaError_t freed = cudaFree(scratch);
  return status != cudaSuccess ? status : freed;
}
