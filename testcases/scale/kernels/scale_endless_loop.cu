// Counts in twos and waits for equality: an odd width is never met. The counter is volatile and in
// shared memory: one in a register tells the compiler how often the loop runs, or that it does
// nothing, and the loop is gone.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_endless_loop(const float* x, float* y, int rows, int cols,
                                              long long x_row, long long y_row, float a) {
#ifndef CORRECTED
  __shared__ volatile unsigned done;
  if (threadIdx.x == 0) {
    done = 0;
    while (done != static_cast<unsigned>(cols)) done = done + 2;
  }
  __syncthreads();
#endif
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    y[blockIdx.x * y_row + col] = a * x[blockIdx.x * x_row + col];
  }
}
