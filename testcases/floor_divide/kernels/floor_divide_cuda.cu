// One thread an element.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void floor_divide(const T* a_data, const T* b_data, T* y_data, int rows, int cols,
                             long long a_0, long long a_1, long long b_0, long long b_1,
                             long long y_0, long long y_1) {
  const View<const T, 2> a{a_data, {a_0, a_1}};
  const View<const T, 2> b{b_data, {b_0, b_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * cols) return;
  const long long r = item / cols, i = item % cols;
  const int u = a(r, i), v = b(r, i);
  y(r, i) = u / v - (u % v < 0 ? 1 : 0);
}
