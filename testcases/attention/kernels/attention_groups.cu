// Attention with cooperative groups: a tile of 32 threads answers one query, the block's tiles
// share staged keys and values. Online softmax; the launcher asks for the shared memory it needs.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace cg = cooperative_groups;

namespace {

constexpr int queries_of_a_block = 4;
constexpr int keys_of_a_tile = 32;
constexpr int dims_max = 256;
constexpr int dims_of_a_lane = dims_max / 32;

struct Strides {
  long long row, col;
};

template <typename T>
struct Problem {
  const T* q;
  const T* k;
  const T* v;
  T* o;
  int m, n, d;
  Strides q_by, k_by, v_by, o_by;
};

/// Views of the dynamic shared memory: queries, keys (padded rows), values.
struct Staged {
  float* queries;
  float* keys;
  float* values;
  int key_pitch;

  __device__ Staged(float* memory, int d)
      : queries(memory),
        keys(memory + queries_of_a_block * d),
        values(keys + keys_of_a_tile * (d + 1)),
        key_pitch(d + 1) {}

  static constexpr std::size_t bytes(int d) {
    return sizeof(float) * (queries_of_a_block * d + keys_of_a_tile * (d + 1) + keys_of_a_tile * d);
  }
};

template <typename T>
__device__ float read(const T* data, const Strides& by, int row, int col) {
  return static_cast<float>(data[row * by.row + col * by.col]);
}

template <typename T>
__device__ void stage(const cg::thread_block& block, const Problem<T>& problem,
                      const Staged& staged, int begin) {
  const int size = keys_of_a_tile * problem.d;
  for (int i = block.thread_rank(); i < size; i += block.size()) {
    const int key = i / problem.d, dim = i % problem.d;
    const bool inside = begin + key < problem.n;
    staged.keys[key * staged.key_pitch + dim] =
        inside ? read(problem.k, problem.k_by, begin + key, dim) : 0.0f;
    staged.values[i] = inside ? read(problem.v, problem.v_by, begin + key, dim) : 0.0f;
  }
}

/// The running state of one query, spread over the lanes of its tile.
struct Answer {
  float top = -INFINITY;
  float sum = 0.0f;
  float value[dims_of_a_lane] = {};

  template <class Tile>
  __device__ void take(const Tile& tile, const Staged& staged, float score, int d) {
    const float new_top = fmaxf(top, cg::reduce(tile, score, cg::greater<float>()));
    // Nothing finite so far: there is nothing to scale, and minus infinity weighs nothing.
    const float keep = top == -INFINITY ? 1.0f : expf(top - new_top);
    const float weight = score == -INFINITY ? 0.0f : expf(score - new_top);
    sum = sum * keep + cg::reduce(tile, weight, cg::plus<float>());
    top = new_top;
#pragma unroll
    for (int i = 0; i < dims_of_a_lane; ++i) value[i] *= keep;
    for (int key = 0; key < keys_of_a_tile; ++key) {
      const float share = tile.shfl(weight, key);
      const float* row = staged.values + key * d;
#pragma unroll
      for (int i = 0; i < dims_of_a_lane; ++i) {
        const int dim = i * 32 + tile.thread_rank();
        if (dim < d) value[i] += share * row[dim];
      }
    }
  }
};

template <typename T>
__global__ void attention_groups(Problem<T> problem, float scale) {
  extern __shared__ float memory[];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const Staged staged(memory, problem.d);
  const int slot = tile.meta_group_rank();
  const int query = blockIdx.x * queries_of_a_block + slot;
  const bool answers = query < problem.m;

  float* mine = staged.queries + slot * problem.d;
  for (int dim = tile.thread_rank(); dim < problem.d; dim += tile.size()) {
    mine[dim] = answers ? read(problem.q, problem.q_by, query, dim) * scale : 0.0f;
  }
  tile.sync();

  Answer answer;
  for (int begin = 0; begin < problem.n; begin += keys_of_a_tile) {
    stage(block, problem, staged, begin);
    block.sync();
    const int key = tile.thread_rank();
    float score = -INFINITY;
    if (begin + key < problem.n) {
      score = 0.0f;
      for (int dim = 0; dim < problem.d; ++dim) {
        score = fmaf(mine[dim], staged.keys[key * staged.key_pitch + dim], score);
      }
    }
    answer.take(tile, staged, score, problem.d);
    cg::sync(block);
  }

  if (!answers) return;
#pragma unroll
  for (int i = 0; i < dims_of_a_lane; ++i) {
    const int dim = i * 32 + tile.thread_rank();
    if (dim < problem.d) {
      problem.o[query * problem.o_by.row + dim * problem.o_by.col] =
          static_cast<T>(answer.value[i] / answer.sum);
    }
  }
}

template <typename T>
cudaError_t launch(const Problem<T>& problem, cudaStream_t stream) {
  if (problem.d > dims_max) return cudaErrorInvalidValue;
  const std::size_t bytes = Staged::bytes(problem.d);
  if (bytes > 48 * 1024) {
    const cudaError_t status = cudaFuncSetAttribute(
        attention_groups<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (status != cudaSuccess) return status;
  }
  const int blocks = (problem.m + queries_of_a_block - 1) / queries_of_a_block;
  const float scale = 1.0f / sqrtf(static_cast<float>(problem.d));
  attention_groups<T><<<blocks, queries_of_a_block * 32, bytes, stream>>>(problem, scale);
  return cudaGetLastError();
}

}  // namespace

#define ATTENTION(name, type)                                                                    \
  extern "C" int name(const type* q, const type* k, const type* v, type* o, int m, int n, int d, \
                      long long q0, long long q1, long long k0, long long k1, long long v0,      \
                      long long v1, long long o0, long long o1, cudaStream_t stream) {           \
    return launch<type>({q, k, v, o, m, n, d, {q0, q1}, {k0, k1}, {v0, v1}, {o0, o1}}, stream);  \
  }

ATTENTION(attention_groups_f32, float)
ATTENTION(attention_groups_f16, __half)
ATTENTION(attention_groups_bf16, __nv_bfloat16)
