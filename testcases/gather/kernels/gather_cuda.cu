// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void gather(const T* x_data, const long long* index_data, T* y_data, int rows, int cols,
                       int picks, long long x_0, long long x_1, long long index_0,
                       long long index_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const long long, 2> index{index_data, {index_0, index_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * picks) return;
  const long long r = item / picks, p = item % picks;
  y(r, p) = x(r, index(r, p));
}
