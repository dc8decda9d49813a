// One thread an element, row after row; the guard lets one thread too many through.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_past_the_end(const float* x, float* y, int rows, int cols,
                                              long long x_row, long long y_row, float a) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long n = static_cast<long long>(rows) * cols;
#ifdef CORRECTED
  if (i >= n) return;
#else
  if (i > n) return;
#endif
  y[i / cols * y_row + i % cols] = a * x[i / cols * x_row + i % cols];
}
