// Softmax in one reading pass: every thread keeps a running (maximum, sum) pair, pairs are merged
// over lanes, warps and the block, a second pass writes. Written as a small template library:
// element traits, a monoid, reducers over it, and row policies chosen by a constant.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace online {

constexpr int warp_threads = 32;
constexpr unsigned all_lanes = 0xffffffffu;

// ---- elements -----------------------------------------------------------------------------------

template <typename T>
struct Element {
  static __device__ __forceinline__ float load(T v) { return static_cast<float>(v); }
  static __device__ __forceinline__ T store(float v) { return static_cast<T>(v); }
};

template <>
struct Element<__half> {
  static __device__ __forceinline__ float load(__half v) { return __half2float(v); }
  static __device__ __forceinline__ __half store(float v) { return __float2half_rn(v); }
};

template <>
struct Element<__nv_bfloat16> {
  static __device__ __forceinline__ float load(__nv_bfloat16 v) { return __bfloat162float(v); }
  static __device__ __forceinline__ __nv_bfloat16 store(float v) { return __float2bfloat16(v); }
};

// ---- the monoid ---------------------------------------------------------------------------------

/// Sum of exp(v - top) over the values seen, with the largest of them.
struct __align__(8) Running {
  float top;
  float sum;
};

struct Merge {
  using Value = Running;

  static __device__ __forceinline__ Running identity() { return {-INFINITY, 0.0f}; }

  /// A part whose top is minus infinity holds no finite value: its sum needs no scaling.
  static __device__ __forceinline__ float scaled(const Running& part, float top) {
    return part.top == -INFINITY ? part.sum : part.sum * expf(part.top - top);
  }

  __device__ __forceinline__ Running operator()(const Running& a, const Running& b) const {
    const float top = fmaxf(a.top, b.top);
    return {top, scaled(a, top) + scaled(b, top)};
  }

  static __device__ __forceinline__ Running lift(float v) {
    return {v, v == -INFINITY ? 0.0f : (isnan(v) ? v : 1.0f)};
  }
};

/// Shuffles any trivially copyable value of 32-bit words.
template <typename V>
__device__ __forceinline__ V shuffle_xor(const V& value, int bits) {
  static_assert(sizeof(V) % sizeof(int) == 0, "words only");
  union Words {
    V value;
    int words[sizeof(V) / sizeof(int)];
    __device__ Words() {}
  } in, out;
  in.value = value;
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(int)); ++i) {
    out.words[i] = __shfl_xor_sync(all_lanes, in.words[i], bits);
  }
  return out.value;
}

// ---- reducers -----------------------------------------------------------------------------------

template <class Monoid, int lanes = warp_threads>
struct WarpReduce {
  using Value = typename Monoid::Value;

  template <int distance = lanes / 2>
  static __device__ __forceinline__ Value run(Value v) {
    if constexpr (distance == 0) {
      return v;
    } else {
      return run<distance / 2>(Monoid{}(v, shuffle_xor(v, distance)));
    }
  }
};

template <class Monoid, int threads>
class BlockReduce {
 public:
  using Value = typename Monoid::Value;
  static constexpr int warps = threads / warp_threads;
  struct Storage {
    Value parts[warps];
  };

  __device__ explicit BlockReduce(Storage& storage) : storage_(storage) {}

  __device__ Value operator()(Value v) {
    v = WarpReduce<Monoid>::run(v);
    if constexpr (warps == 1) return v;
    if (threadIdx.x % warp_threads == 0) storage_.parts[threadIdx.x / warp_threads] = v;
    __syncthreads();
    Value total = storage_.parts[0];
#pragma unroll
    for (int warp = 1; warp < warps; ++warp) total = Monoid{}(total, storage_.parts[warp]);
    __syncthreads();  // the storage may be used again
    return total;
  }

 private:
  Storage& storage_;
};

// ---- rows ---------------------------------------------------------------------------------------

/// A strided row that applies a function to every element this thread owns.
template <typename T, int threads>
struct Row {
  T* begin;
  int size;
  long long stride;

  template <class Function>
  __device__ __forceinline__ void each(Function&& function) const {
    for (int i = threadIdx.x; i < size; i += threads) function(i, begin[i * stride]);
  }
};

template <typename T, int threads>
__device__ Row<T, threads> row_of(T* base, long long pitch, long long stride, int size) {
  return {base + static_cast<long long>(blockIdx.x) * pitch, size, stride};
}

}  // namespace online

/// One block a row of `cols` elements.
template <typename T, int threads>
__global__ void __launch_bounds__(threads)
    softmax_online(const T* __restrict__ x, T* __restrict__ y, int cols, long long x_row,
                   long long x_col, long long y_row, long long y_col) {
  using namespace online;
  using Reduce = BlockReduce<Merge, threads>;
  __shared__ typename Reduce::Storage storage;

  const auto in = row_of<const T, threads>(x, x_row, x_col, cols);
  const auto out = row_of<T, threads>(y, y_row, y_col, cols);

  Running mine = Merge::identity();
  in.each([&mine](int, const T& v) { mine = Merge{}(mine, Merge::lift(Element<T>::load(v))); });
  const Running all = Reduce(storage)(mine);

  const float inverse = 1.0f / all.sum;
  out.each([&](int i, T& slot) {
    const float v = Element<T>::load(in.begin[i * in.stride]);
    slot = Element<T>::store(expf(v - all.top) * inverse);
  });
}
