// Split-K product: slice s of K goes into plane s of a float workspace, a second kernel adds the
// planes. Tiles of 32 x 32 in shared memory, each thread holds a 2 x 4 patch of the result.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace split_k {

constexpr int tile_m = 32;
constexpr int tile_n = 32;
constexpr int tile_k = 16;
constexpr int slices_max = 4;
constexpr int patch_m = 2;
constexpr int patch_n = 4;
constexpr int threads_x = tile_n / patch_n;  // 8
constexpr int threads_y = tile_m / patch_m;  // 16
constexpr int threads = threads_x * threads_y;

static_assert(threads == 128, "the launch in the toml says 8 x 16");
static_assert(tile_m * tile_k % threads == 0 && tile_k * tile_n % threads == 0, "even loads");

/// A matrix view: any strides, bounds that read as zero outside.
template <typename T>
struct View {
  const T* data;
  int rows, cols;
  long long row, col;

  __device__ __forceinline__ float operator()(int r, int c) const {
    return r < rows && c < cols ? static_cast<float>(data[r * row + c * col]) : 0.0f;
  }
};

/// [begin, end) of one slice, in whole tiles of K.
struct Slice {
  int begin, end;

  __device__ Slice(int number, int count, int k) {
    const int tiles = (k + tile_k - 1) / tile_k;
    const int each = (tiles + count - 1) / count;
    begin = min(number * each * tile_k, k);
    end = min(begin + each * tile_k, k);
  }
};

struct Tiles {
  float a[tile_k][tile_m + 1];  // stored transposed; one column more against bank conflicts
  float b[tile_k][tile_n];
};

template <typename T>
__device__ void load(Tiles& tiles, const View<T>& a, const View<T>& b, int m0, int n0, int k0,
                     int k_end) {
  const int thread = threadIdx.y * threads_x + threadIdx.x;
#pragma unroll
  for (int i = thread; i < tile_m * tile_k; i += threads) {
    const int m = i / tile_k, k = i % tile_k;
    tiles.a[k][m] = k0 + k < k_end ? a(m0 + m, k0 + k) : 0.0f;
  }
#pragma unroll
  for (int i = thread; i < tile_k * tile_n; i += threads) {
    const int k = i / tile_n, n = i % tile_n;
    tiles.b[k][n] = k0 + k < k_end ? b(k0 + k, n0 + n) : 0.0f;
  }
}

struct Patch {
  float v[patch_m][patch_n];

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < patch_m * patch_n; ++i) v[i / patch_n][i % patch_n] = 0.0f;
  }
  __device__ void multiply(const Tiles& tiles) {
#pragma unroll
    for (int k = 0; k < tile_k; ++k) {
      float a[patch_m], b[patch_n];
#pragma unroll
      for (int i = 0; i < patch_m; ++i) a[i] = tiles.a[k][threadIdx.y * patch_m + i];
#pragma unroll
      for (int j = 0; j < patch_n; ++j) b[j] = tiles.b[k][threadIdx.x + j * threads_x];
#pragma unroll
      for (int i = 0; i < patch_m; ++i) {
#pragma unroll
        for (int j = 0; j < patch_n; ++j) v[i][j] = __fmaf_rn(a[i], b[j], v[i][j]);
      }
    }
  }
};

/// Sum of the planes [first, first + count) at one place, by halves.
__device__ __forceinline__ float add_planes(const float* at, long long plane, int first,
                                            int count) {
  float sums[slices_max];
  for (int i = 0; i < count; ++i) sums[i] = at[(first + i) * plane];
  for (int width = 1; width < count; width *= 2) {
    for (int i = 0; i + width < count; i += 2 * width) sums[i] += sums[i + width];
  }
  return sums[0];
}

}  // namespace split_k

/// Step 1. Grid: tiles of N, tiles of M, slices of K.
template <typename T>
__global__ void __launch_bounds__(split_k::threads)
    matmul_partial(const T* a, const T* b, float* planes, int m, int k, int n, long long a_row,
                   long long a_col, long long b_row, long long b_col) {
  using namespace split_k;
  __shared__ Tiles tiles;
  const View<T> left{a, m, k, a_row, a_col};
  const View<T> right{b, k, n, b_row, b_col};
  const int m0 = blockIdx.y * tile_m, n0 = blockIdx.x * tile_n;
  const Slice slice(blockIdx.z, gridDim.z, k);

  Patch patch;
  patch.clear();
  for (int k0 = slice.begin; k0 < slice.end; k0 += tile_k) {
    load(tiles, left, right, m0, n0, k0, slice.end);
    __syncthreads();
    patch.multiply(tiles);
    __syncthreads();
  }

  float* plane = planes + static_cast<long long>(blockIdx.z) * m * n;
#pragma unroll
  for (int i = 0; i < patch_m; ++i) {
    const int row = m0 + threadIdx.y * patch_m + i;
#pragma unroll
    for (int j = 0; j < patch_n; ++j) {
      const int col = n0 + threadIdx.x + j * threads_x;
      if (row < m && col < n) plane[static_cast<long long>(row) * n + col] = patch.v[i][j];
    }
  }
}

/// Step 2. One thread an element of the result; planes are added in one order, so bits stay.
template <typename T>
__global__ void matmul_add_planes(const float* planes, T* c, int m, int n, int slices,
                                  long long c_row, long long c_col) {
  const long long size = static_cast<long long>(m) * n;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += stride) {
    const float sum = split_k::add_planes(planes + i, size, 0, slices);
    c[i / n * c_row + i % n * c_col] = static_cast<T>(sum);
  }
}

// A cast to the element type is all that the columns differ in: name the instances once.
#define INSTANTIATE(type)                                                                         \
  template __global__ void matmul_partial<type>(const type*, const type*, float*, int, int, int,  \
                                                long long, long long, long long, long long);      \
  template __global__ void matmul_add_planes<type>(const float*, type*, int, int, int, long long, \
                                                   long long);
INSTANTIATE(float)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)
#undef INSTANTIATE
