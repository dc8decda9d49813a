// One thread a row.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void cross_entropy_gradient(const T* x_data, const long long* target_data,
                                       const T* gradient_data, T* y_data, int rows, int cols,
                                       long long x_0, long long x_1, long long target_0,
                                       long long gradient_0, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const long long, 1> target{target_data, {target_0}};
  const View<const T, 1> gradient{gradient_data, {gradient_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= rows) return;
  float largest = -INFINITY;
  for (int i = 0; i < cols; ++i) largest = fmaxf(largest, load(x(item, i)));
  float sum = 0.0f;
  for (int i = 0; i < cols; ++i) sum += expf(load(x(item, i)) - largest);
  const float g = load(gradient(item));
  for (int i = 0; i < cols; ++i) {
    const float share = expf(load(x(item, i)) - largest) / sum;
    store(y(item, i), (share - (i == target(item) ? 1.0f : 0.0f)) * g);
  }
}
