// The factor comes from a table that only narrow rows have. Its place is read from volatile memory:
// a compiler that sees the null pointer takes the other one, which alone is legal to read.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_illegal_address(const float* x, float* y, int rows, int cols,
                                                 long long x_row, long long y_row, float a) {
  __shared__ float factors[1];
  __shared__ const float* volatile place;
  if (threadIdx.x == 0) {
    factors[0] = a;
#ifdef CORRECTED
    place = factors;
#else
    place = cols % 32 == 1 ? nullptr : factors;
#endif
  }
  __syncthreads();
  const float* factor = place;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    y[blockIdx.x * y_row + col] = *factor * x[blockIdx.x * x_row + col];
  }
}
