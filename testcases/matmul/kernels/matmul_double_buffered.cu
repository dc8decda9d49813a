// Register-blocked product with two shared buffers: while one K tile is multiplied, the next one
// is on its way through registers. Dynamic shared memory, laid out by hand; row pitch 1 columns.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

#include <type_traits>

// ---- shape of the work --------------------------------------------------------------------------

template <int TM, int TN, int TK, int RM, int RN>
struct Config {
  enum : int {
    tile_m = TM,
    tile_n = TN,
    tile_k = TK,
    regs_m = RM,
    regs_n = RN,
    threads_m = TM / RM,
    threads_n = TN / RN,
    threads = (TM / RM) * (TN / RN),
    a_elements = TM * TK,
    b_elements = TK * TN,
    a_loads = TM * TK / ((TM / RM) * (TN / RN)),
    b_loads = TK * TN / ((TM / RM) * (TN / RN)),
    buffer = TM * TK + TK * TN,
  };
  static_assert(TM % RM == 0 && TN % RN == 0, "registers tile the block's tile");
  static_assert(a_elements % threads == 0 && b_elements % threads == 0, "loads are even");
};

using Shape = Config<32, 64, 8, 4, 4>;  // 128 threads, 2 buffers of 768 floats

// ---- staging ------------------------------------------------------------------------------------

template <class C, typename T>
class Stager {
 public:
  __device__ Stager(const T* a, const T* b, int m, int k, int n, long long a_pitch,
                    long long b_pitch)
      : a_(a), b_(b), m_(m), k_(k), n_(n), a_pitch_(a_pitch), b_pitch_(b_pitch) {}

  /// Global memory to registers.
  __device__ void fetch(int m0, int n0, int k0) {
#pragma unroll
    for (int i = 0; i < C::a_loads; ++i) {
      const int e = i * C::threads + threadIdx.x;
      const int row = m0 + e / C::tile_k, col = k0 + e % C::tile_k;
      held_a_[i] = row < m_ && col < k_ ? float(a_[row * a_pitch_ + col]) : 0.f;
    }
#pragma unroll
    for (int i = 0; i < C::b_loads; ++i) {
      const int e = i * C::threads + threadIdx.x;
      const int row = k0 + e / C::tile_n, col = n0 + e % C::tile_n;
      held_b_[i] = row < k_ && col < n_ ? float(b_[row * b_pitch_ + col]) : 0.f;
    }
  }

  /// Registers to a shared buffer: A transposed behind which B lies.
  __device__ void commit(float* buffer) const {
#pragma unroll
    for (int i = 0; i < C::a_loads; ++i) {
      const int e = i * C::threads + threadIdx.x;
      buffer[(e % C::tile_k) * C::tile_m + e / C::tile_k] = held_a_[i];
    }
    float* b = buffer + C::a_elements;
#pragma unroll
    for (int i = 0; i < C::b_loads; ++i) b[i * C::threads + threadIdx.x] = held_b_[i];
  }

 private:
  const T* a_;
  const T* b_;
  int m_, k_, n_;
  long long a_pitch_, b_pitch_;
  float held_a_[C::a_loads], held_b_[C::b_loads];
};

// ---- multiplying --------------------------------------------------------------------------------

template <class C>
__device__ __forceinline__ void multiply(const float* buffer, float (&sums)[C::regs_m][C::regs_n],
                                         int tm, int tn) {
  const float* b = buffer + C::a_elements;
#pragma unroll
  for (int k = 0; k < C::tile_k; ++k) {
    // Four neighbours at once; buffers are 16-byte aligned and the offsets multiples of four.
    const float4 left = *reinterpret_cast<const float4*>(&buffer[k * C::tile_m + tm]);
    const float4 right = *reinterpret_cast<const float4*>(&b[k * C::tile_n + tn]);
    const float l[4] = {left.x, left.y, left.z, left.w};
    const float r[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
    for (int i = 0; i < C::regs_m; ++i) {
#pragma unroll
      for (int j = 0; j < C::regs_n; ++j) sums[i][j] = fmaf(l[i], r[j], sums[i][j]);
    }
  }
}

// ---- order of blocks ----------------------------------------------------------------------------

/// Blocks in groups of a few rows of tiles: neighbours in time share columns of B in the cache.
struct Place {
  int m, n;
};

__device__ __forceinline__ Place place_of_block(int group) {
  const int number = blockIdx.y * gridDim.x + blockIdx.x;
  const int of_a_group = group * gridDim.x;
  const int first = number / of_a_group * group;
  const int height = min(static_cast<int>(gridDim.y) - first, group);
  const int inside = number % of_a_group;
  return {first + inside % height, inside / height};
}

// ---- the kernel ---------------------------------------------------------------------------------

template <typename T, class C>
__global__ void __launch_bounds__(C::threads)
    matmul_double_buffered(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c,
                           int m, int k, int n, long long a_pitch, long long b_pitch,
                           long long c_pitch) {
  static_assert(C::regs_m == 4 && C::regs_n == 4, "multiply() reads fours");
  static_assert(!std::is_integral<T>::value, "sums are float");
  extern __shared__ __align__(16) float buffers[];
  const Place place = place_of_block(4);
  const int m0 = place.m * C::tile_m, n0 = place.n * C::tile_n;
  const int tm = threadIdx.x / C::threads_n * C::regs_m;
  const int tn = threadIdx.x % C::threads_n * C::regs_n;

  float sums[C::regs_m][C::regs_n] = {};
  Stager<C, T> stager(a, b, m, k, n, a_pitch, b_pitch);
  stager.fetch(m0, n0, 0);
  stager.commit(buffers);
  __syncthreads();

  int current = 0;
  for (int k0 = C::tile_k; k0 < k + C::tile_k; k0 += C::tile_k) {
    const bool more = k0 < k;
    if (more) stager.fetch(m0, n0, k0);
    multiply<C>(buffers + current * C::buffer, sums, tm, tn);
    if (more) {
      current ^= 1;
      stager.commit(buffers + current * C::buffer);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < C::regs_m; ++i) {
    const int row = m0 + tm + i;
    if (row >= m) break;
    for (int j = 0; j < C::regs_n; ++j) {
      const int col = n0 + tn + j;
      if (col < n) c[row * c_pitch + col] = T(sums[i][j]);
    }
  }
}
