// L2 norm of long rows: several blocks share a row. Each writes its part of the sum of squares,
// fences, and takes a ticket; the block with the last ticket of a row adds the parts and publishes
// the scale, with which a further launch writes the row.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace last_block {

constexpr int threads = 128;
constexpr int chunk = 1024;  // elements of a row that one block looks at

static_assert(threads % 32 == 0 && (threads & (threads - 1)) == 0, "a tree of whole warps");
static_assert(chunk % threads == 0, "every thread looks at equally many elements");

enum class Stage : unsigned { counting = 0, published = 1 };

/// One row's line in the workspace.
struct Line {
  unsigned tickets;
  unsigned stage;
  float scale;
  unsigned unused;
};

struct Range {
  int begin, end;
};

/// Sum with the rounding errors of its additions beside it (Neumaier).
struct Compensated {
  float sum = 0.0f;
  float error = 0.0f;

  __device__ void add(float v) {
    const float total = __fadd_rn(sum, v);
    error += fabsf(sum) >= fabsf(v) ? __fadd_rn(__fsub_rn(sum, total), v)
                                    : __fadd_rn(__fsub_rn(v, total), sum);
    sum = total;
  }

  /// An infinite sum has no error worth adding.
  __device__ float value() const { return isfinite(sum) ? sum + error : sum; }
};

__device__ __forceinline__ Range range_of_block(int cols) {
  const int begin = blockIdx.x * chunk;
  return {begin, begin + chunk < cols ? begin + chunk : cols};
}

/// A tree over the block in shared memory; the result is valid in thread 0.
__device__ float block_sum(float v) {
  __shared__ float sums[threads];
  sums[threadIdx.x] = v;
  __syncthreads();
  for (int half = threads / 2; half >= 32; half >>= 1) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  float total = 0.0f;
  if (threadIdx.x < 32) {
    total = sums[threadIdx.x];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
      total += __shfl_down_sync(0xffffffffu, total, offset);
    }
  }
  return total;
}

/// Adds the parts of a row in a fixed order: every run gives the same bits.
__device__ float add_parts(const volatile float* parts, int count) {
  float mine = 0.0f;
  for (int i = threadIdx.x; i < count; i += threads) mine += parts[i];
  __syncthreads();  // block_sum's memory was in use
  return block_sum(mine);
}

template <typename T>
struct Tensors {
  const T* x;
  T* y;
  long long x_row, x_col, y_row, y_col;

  __device__ float get(int row, int col) const {
    return static_cast<float>(x[row * x_row + col * x_col]);
  }
  __device__ void set(int row, int col, float v) const {
    y[row * y_row + col * y_col] = static_cast<T>(v);
  }
};

}  // namespace last_block

/// Step 1: the workspace as the second step wants to find it.
extern "C" __global__ void l2norm_begin(last_block::Line* lines, int rows) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    lines[row] = {0u, static_cast<unsigned>(last_block::Stage::counting), 0.0f, 0u};
  }
}

/// Step 2. Grid: chunks of a row, rows.
template <typename T>
__global__ void l2norm_sum(const T* x, last_block::Line* lines, float* parts, int cols,
                           float epsilon, long long x_row, long long x_col) {
  using namespace last_block;
  __shared__ bool is_last;
  const int row = blockIdx.y;
  const Tensors<T> tensors{x, nullptr, x_row, x_col, 0, 0};
  const Range range = range_of_block(cols);

  Compensated mine;
  for (int col = range.begin + threadIdx.x; col < range.end; col += threads) {
    const float v = tensors.get(row, col);
    mine.add(__fmul_rn(v, v));
  }
  const float squares = block_sum(mine.value());

  float* row_parts = parts + static_cast<long long>(row) * gridDim.x;
  if (threadIdx.x == 0) {
    row_parts[blockIdx.x] = squares;
    __threadfence();  // the part before the ticket
    const unsigned ticket = atomicAdd(&lines[row].tickets, 1u);
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;

  __threadfence();  // the tickets before the parts
  const float total = add_parts(row_parts, gridDim.x);
  if (threadIdx.x == 0) {
    lines[row].scale = rsqrtf(total + epsilon);
    __threadfence();
    atomicExch(&lines[row].stage, static_cast<unsigned>(Stage::published));
  }
}

/// Step 3: the same grid scales. A row that was not published is an error of step 2: leave it.
template <typename T>
__global__ void l2norm_write(const T* x, T* y, const last_block::Line* lines, int cols,
                             long long x_row, long long x_col, long long y_row, long long y_col) {
  using namespace last_block;
  const int row = blockIdx.y;
  const Tensors<T> tensors{x, y, x_row, x_col, y_row, y_col};
  if (lines[row].stage != static_cast<unsigned>(Stage::published)) return;
  const float scale = lines[row].scale;
  const Range range = range_of_block(cols);
  for (int col = range.begin + threadIdx.x; col < range.end; col += threads) {
    tensors.set(row, col, tensors.get(row, col) * scale);
  }
}
