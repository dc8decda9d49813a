// One thread a row, three passes.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void cross_entropy(const T* x_data, const long long* target_data, T* y_data, int rows,
                              int cols, long long x_0, long long x_1, long long target_0,
                              long long y_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const long long, 1> target{target_data, {target_0}};
  const View<T, 1> y{y_data, {y_0}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= rows) return;
  float largest = -INFINITY;
  for (int i = 0; i < cols; ++i) largest = fmaxf(largest, load(x(item, i)));
  float sum = 0.0f;
  for (int i = 0; i < cols; ++i) sum += expf(load(x(item, i)) - largest);
  store(y(item), logf(sum) - (load(x(item, target(item))) - largest));
}
