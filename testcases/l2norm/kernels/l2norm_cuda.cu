// L2 normalisation, one block a row.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Sum over the block; every thread gets the result. `partial` holds one value a warp.
__device__ float block_sum(float value, float* partial) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = value + __shfl_xor_sync(0xffffffffu, value, distance);
  }
  const int warps = (blockDim.x + 31) / 32;
  __syncthreads();  // readers of the previous use are done
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  float result = partial[0];
  for (int warp = 1; warp < warps; ++warp) result = result + partial[warp];
  return result;
}

/// One block a row; `lanes` is the next power of two of cols, lanes beyond the row hold zero.
template <typename T>
__global__ void l2norm(const T* x, T* y, int cols, int lanes, float eps, long long x_row,
                       long long x_col, long long y_row, long long y_col) {
  __shared__ float partial[32];
  const T* in = x + blockIdx.x * x_row;
  T* out = y + blockIdx.x * y_row;
  float squares = 0.0f;
  for (int lane = threadIdx.x; lane < lanes; lane += blockDim.x) {
    const float v = lane < cols ? static_cast<float>(in[lane * x_col]) : 0.0f;
    squares += v * v;
  }
  squares = block_sum(squares, partial);
  const float scale = rsqrtf(squares + eps);
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    out[col * y_col] = static_cast<T>(static_cast<float>(in[col * x_col]) * scale);
  }
}
