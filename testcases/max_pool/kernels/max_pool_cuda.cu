// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void max_pool(const T* x_data, T* y_data, int rows, int length, int size, int stride,
                         long long x_0, long long x_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * ((length - size) / stride + 1)) return;
  const int places = (length - size) / stride + 1;
  const long long r = item / places, p = item % places;
  float largest = load(x(r, p * stride));
  for (int t = 1; t < size; ++t) {
    const float v = load(x(r, p * stride + t));
    if (v > largest || v != v) largest = v;
    if (largest != largest) break;
  }
  store(y(r, p), largest);
}
