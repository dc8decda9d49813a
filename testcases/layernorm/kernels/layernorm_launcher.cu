// Layer norm with a host launcher: narrow rows get a warp each, medium ones a block each, and what
// is wider than a block can hold is cut over several passes of the block. Rows are walked by a
// grid of bounded size.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "layernorm_launcher/check.cuh"
#include "layernorm_launcher/welford.cuh"

namespace {

constexpr int rows_of_a_block = 4;    // warp form
constexpr int narrow_cols_max = 128;  // up to four values a lane
constexpr int block_threads = 256;
constexpr int grid_max = 1 << 15;

/// Everything a kernel needs to know of its tensors.
template <typename T>
struct Rows {
  const T* x;
  T* y;
  std::int64_t x_row, x_col, y_row, y_col;
  int rows, cols;
  float epsilon;

  __device__ float at(std::int64_t row, int col) const {
    return static_cast<float>(x[row * x_row + col * x_col]);
  }
  __device__ void put(std::int64_t row, int col, float v) const {
    y[row * y_row + col * y_col] = static_cast<T>(v);
  }
};

/// A warp a row, values in registers: mean first, then deviations from it.
template <typename T, int values>
__global__ void narrow_rows(Rows<T> rows) {
  const int lane = threadIdx.x, slot = threadIdx.y;
  for (std::int64_t row = std::int64_t{blockIdx.x} * blockDim.y + slot; row < rows.rows;
       row += std::int64_t{gridDim.x} * blockDim.y) {
    float held[values];
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < values; ++i) {
      const int col = i * 32 + lane;
      held[i] = col < rows.cols ? rows.at(row, col) : 0.0f;
      sum += held[i];
    }
#pragma unroll
    for (int bits = 16; bits > 0; bits >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, bits);
    const float mean = sum / rows.cols;

    float squares = 0.0f;
#pragma unroll
    for (int i = 0; i < values; ++i) {
      const float off = i * 32 + lane < rows.cols ? held[i] - mean : 0.0f;
      squares += off * off;
    }
#pragma unroll
    for (int bits = 16; bits > 0; bits >>= 1) {
      squares += __shfl_xor_sync(0xffffffffu, squares, bits);
    }
    const float scale = rsqrtf(squares / rows.cols + rows.epsilon);
#pragma unroll
    for (int i = 0; i < values; ++i) {
      const int col = i * 32 + lane;
      if (col < rows.cols) rows.put(row, col, (held[i] - mean) * scale);
    }
  }
}

/// A block a row: Welford per thread, warps merged through shared memory.
template <typename T>
__global__ void __launch_bounds__(block_threads) wide_rows(Rows<T> rows) {
  __shared__ Welford parts[block_threads / 32];
  __shared__ float mean, scale;
  for (std::int64_t row = blockIdx.x; row < rows.rows; row += gridDim.x) {
    Welford mine;
    for (int col = threadIdx.x; col < rows.cols; col += blockDim.x) mine.add(rows.at(row, col));
    mine = warp_total(mine);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
      Welford part;
      if (threadIdx.x < block_threads / 32) part = parts[threadIdx.x];
      part = warp_total(part);
      if (threadIdx.x == 0) {
        mean = part.mean;
        scale = rsqrtf(part.variance() + rows.epsilon);
      }
    }
    __syncthreads();
    for (int col = threadIdx.x; col < rows.cols; col += blockDim.x) {
      rows.put(row, col, (rows.at(row, col) - mean) * scale);
    }
    __syncthreads();  // parts, mean and scale belong to the next row now
  }
}

template <typename T>
cudaError_t layernorm(const Rows<T>& rows, cudaStream_t stream) {
  if (rows.rows == 0 || rows.cols == 0) return cudaSuccess;
  int device = 0, threads_max = 0;
  RETURN_ON_ERROR(cudaGetDevice(&device));
  RETURN_ON_ERROR(cudaDeviceGetAttribute(&threads_max, cudaDevAttrMaxThreadsPerBlock, device));
  if (threads_max < block_threads) return cudaErrorInvalidConfiguration;

  if (rows.cols <= narrow_cols_max) {
    const dim3 block(32, rows_of_a_block);
    const dim3 grid(std::min((rows.rows + rows_of_a_block - 1) / rows_of_a_block, grid_max));
    switch ((rows.cols + 31) / 32) {
      case 1:
        narrow_rows<T, 1><<<grid, block, 0, stream>>>(rows);
        break;
      case 2:
        narrow_rows<T, 2><<<grid, block, 0, stream>>>(rows);
        break;
      default:
        narrow_rows<T, 4><<<grid, block, 0, stream>>>(rows);
        break;
    }
  } else {
    wide_rows<T><<<std::min(rows.rows, grid_max), block_threads, 0, stream>>>(rows);
  }
  RETURN_ON_LAUNCH_ERROR();
  RETURN_ON_ERROR(cudaStreamSynchronize(stream));
  return cudaSuccess;
}

}  // namespace

#define DEFINE_LAUNCHER(name, type)                                                           \
  extern "C" cudaError_t name(const type* x, type* y, int rows, int cols, std::int64_t x_row, \
                              std::int64_t x_col, std::int64_t y_row, std::int64_t y_col,     \
                              float epsilon, cudaStream_t stream) {                           \
    return layernorm<type>({x, y, x_row, x_col, y_row, y_col, rows, cols, epsilon}, stream);  \
  }

DEFINE_LAUNCHER(layernorm_launch_f32, float)
DEFINE_LAUNCHER(layernorm_launch_f16, __half)
DEFINE_LAUNCHER(layernorm_launch_bf16, __nv_bfloat16)
