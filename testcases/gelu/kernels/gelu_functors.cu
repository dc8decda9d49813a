// GELU as an instance of a small elementwise library: a functor for the operation, packs for dense
// tensors, strided access for all others, a grid that fits the machine. The launcher picks.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace elementwise {

// ---- operations ---------------------------------------------------------------------------------

struct TanhGelu {
  float root = 0.7978845608028654f;  // sqrt(2 / pi)
  float cubic = 0.044715f;

  __host__ __device__ float operator()(float v) const {
    const float inner = root * (v + cubic * v * v * v);
    return 0.5f * v * (1.0f + tanhf(inner));
  }
};

/// First f, then g.
template <class F, class G>
struct Then {
  F f;
  G g;
  __host__ __device__ float operator()(float v) const { return g(f(v)); }
};

struct Identity {
  __host__ __device__ float operator()(float v) const { return v; }
};

template <class F, class G>
Then<std::decay_t<F>, std::decay_t<G>> then(F&& f, G&& g) {
  return {std::forward<F>(f), std::forward<G>(g)};
}

// ---- packs --------------------------------------------------------------------------------------

template <typename T, int n>
struct alignas(sizeof(T) * n) Pack {
  T v[n];
};

template <typename T>
using Widest = Pack<T, 16 / static_cast<int>(sizeof(T))>;

template <typename T>
inline constexpr int lanes_of = 16 / static_cast<int>(sizeof(T));

template <typename P>
bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignof(P) == 0;
}

// ---- kernels ------------------------------------------------------------------------------------

/// Calls `body` with every index below n, the whole grid in steps.
template <class Body>
__device__ __forceinline__ void grid_stride(std::int64_t n, Body body) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step) {
    body(i);
  }
}

template <typename T, class F>
__global__ void dense(const T* __restrict__ x, T* __restrict__ y, std::int64_t n, F function) {
  using P = Widest<T>;
  constexpr int lanes = lanes_of<T>;
  const auto* in = reinterpret_cast<const P*>(x);
  auto* out = reinterpret_cast<P*>(y);
  const auto apply = [function](T v) { return T(function(static_cast<float>(v))); };
  grid_stride(n / lanes, [=](std::int64_t i) {
    P pack = in[i];
#pragma unroll
    for (T& v : pack.v) v = apply(v);
    out[i] = pack;
  });
  // What is left is less than a pack: the first threads of the grid take one element each.
  const std::int64_t done = n / lanes * lanes;
  grid_stride(n - done, [=](std::int64_t i) { y[done + i] = apply(x[done + i]); });
}

struct Strided {
  std::int64_t row, col;
  __host__ __device__ std::int64_t operator()(std::int64_t r, std::int64_t c) const {
    return r * row + c * col;
  }
  /// Rows lie behind each other without a gap.
  bool is_dense(std::int64_t rows, std::int64_t cols) const {
    return (col == 1 || cols == 1) && (row == cols || rows == 1);
  }
};

template <typename T, class F>
__global__ void strided(const T* x, T* y, std::int64_t rows, std::int64_t cols, Strided x_by,
                        Strided y_by, F function) {
  grid_stride(rows * cols, [&](std::int64_t i) {
    const std::int64_t r = i / cols, c = i - r * cols;
    y[y_by(r, c)] = static_cast<T>(function(static_cast<float>(x[x_by(r, c)])));
  });
}

// ---- launching ----------------------------------------------------------------------------------

struct Geometry {
  int grid = 0, block = 0;
};

/// As many blocks as are resident at once, and no more than there is work for.
template <class Kernel>
cudaError_t geometry_for(Kernel kernel, std::int64_t work, Geometry& result) {
  int device = 0, processors = 0, per_processor = 0;
  constexpr int block = 256;
  if (cudaError_t e = cudaGetDevice(&device); e != cudaSuccess) return e;
  if (cudaError_t e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
      e != cudaSuccess) {
    return e;
  }
  if (cudaError_t e =
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, block, 0);
      e != cudaSuccess) {
    return e;
  }
  const std::int64_t wanted = (work + block - 1) / block;
  const std::int64_t resident = static_cast<std::int64_t>(processors) * per_processor;
  result.block = block;
  result.grid = static_cast<int>(wanted < 1 ? 1 : wanted < resident ? wanted : resident);
  return cudaSuccess;
}

template <typename T, class F>
cudaError_t map(const T* x, T* y, std::int64_t rows, std::int64_t cols, Strided x_by, Strided y_by,
                F function, cudaStream_t stream) {
  Geometry geometry;
  const std::int64_t n = rows * cols;
  const bool packs = x_by.is_dense(rows, cols) && y_by.is_dense(rows, cols) &&
                     is_aligned<Widest<T>>(x) && is_aligned<Widest<T>>(y);
  cudaError_t status = cudaSuccess;
  if (packs) {
    status = geometry_for(dense<T, F>, n / lanes_of<T> + 1, geometry);
    if (status != cudaSuccess) return status;
    dense<<<geometry.grid, geometry.block, 0, stream>>>(x, y, n, function);
  } else {
    status = geometry_for(strided<T, F>, n, geometry);
    if (status != cudaSuccess) return status;
    strided<<<geometry.grid, geometry.block, 0, stream>>>(x, y, rows, cols, x_by, y_by, function);
  }
  return cudaGetLastError();
}

template <typename T>
cudaError_t gelu(const T* x, T* y, int rows, int cols, Strided x_by, Strided y_by,
                 cudaStream_t stream) {
  return map(x, y, rows, cols, x_by, y_by, then(TanhGelu{}, Identity{}), stream);
}

}  // namespace elementwise

extern "C" {

cudaError_t gelu_functors_f32(const float* x, float* y, int rows, int cols, std::int64_t x0,
                              std::int64_t x1, std::int64_t y0, std::int64_t y1,
                              cudaStream_t stream) {
  return elementwise::gelu(x, y, rows, cols, {x0, x1}, {y0, y1}, stream);
}

cudaError_t gelu_functors_f16(const __half* x, __half* y, int rows, int cols, std::int64_t x0,
                              std::int64_t x1, std::int64_t y0, std::int64_t y1,
                              cudaStream_t stream) {
  return elementwise::gelu(x, y, rows, cols, {x0, x1}, {y0, y1}, stream);
}

cudaError_t gelu_functors_bf16(const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int cols,
                               std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1,
                               cudaStream_t stream) {
  return elementwise::gelu(x, y, rows, cols, {x0, x1}, {y0, y1}, stream);
}

}  // extern "C"
