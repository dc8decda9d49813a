// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T_x, typename T_y>
__global__ void cast(const T_x* x_data, T_y* y_data, int rows, int cols, long long x_0,
                     long long x_1, long long y_0, long long y_1) {
  const View<const T_x, 2> x{x_data, {x_0, x_1}};
  const View<T_y, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * cols) return;
  const long long r = item / cols, i = item % cols;
  store(y(r, i), load(x(r, i)));
}
