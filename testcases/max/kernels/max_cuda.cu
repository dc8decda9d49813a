// One thread a row, in order.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void max(const T* x_data, T* y_data, int rows, int cols, long long x_0, long long x_1,
                    long long y_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 1> y{y_data, {y_0}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= rows) return;
  T largest = x(item, 0);
  for (int i = 1; i < cols; ++i) {
    const T v = x(item, i);
    if (load(v) > load(largest) || load(v) != load(v)) largest = v;
    if (load(largest) != load(largest)) break;
  }
  y(item) = largest;
}
