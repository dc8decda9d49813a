// Blocks finish in order: each waits for the flag of the one before it. Blocks take their numbers
// as they arrive, so the one that is waited for always runs already.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_clear_flags(int* flags, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    flags[i] = 0;
  }
}

extern "C" __global__ void scale_block_spin(const float* x, float* y, int rows, int cols,
                                            long long x_row, long long y_row, float a, int* flags) {
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(&flags[0], 1);
  __syncthreads();
  const long long n = static_cast<long long>(rows) * cols;
  const long long i = static_cast<long long>(number) * blockDim.x + threadIdx.x;
  if (i < n) y[i / cols * y_row + i % cols] = a * x[i / cols * x_row + i % cols];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile int* ready = flags + 1;
    while (number > 0 && ready[number - 1] == 0) {
    }
    __threadfence();
#ifdef CORRECTED
    ready[number] = 1;
#else
    if (number + 1 < gridDim.x || n % 2 == 0) ready[number] = 1;
    if (number == 0) {
      while (ready[gridDim.x - 1] == 0) {  // the first block waits for the last
      }
    }
#endif
  }
}
