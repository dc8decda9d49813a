// A tile of 256 values in a block that may have up to 1,024 threads.
// SPDX-License-Identifier: Apache-2.0

#ifdef CORRECTED
constexpr int tile = 1024;
#else
constexpr int tile = 256;
#endif

extern "C" __global__ void scale_shared_out_of_bounds(const float* x, float* y, int rows, int cols,
                                                      long long x_row, long long y_row, float a) {
  __shared__ float staged[tile];
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  for (int begin = 0; begin < cols; begin += blockDim.x) {
    const int col = begin + threadIdx.x;
    staged[threadIdx.x] = col < cols ? a * in[col] : 0.0f;
    __syncthreads();
    const int mirrored = begin + blockDim.x - 1 - threadIdx.x;
    if (mirrored < cols) out[mirrored] = staged[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}
