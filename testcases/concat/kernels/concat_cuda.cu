// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void concat(const T* a_data, const T* b_data, T* y_data, int rows, int left, int right,
                       long long a_0, long long a_1, long long b_0, long long b_1, long long y_0,
                       long long y_1) {
  const View<const T, 2> a{a_data, {a_0, a_1}};
  const View<const T, 2> b{b_data, {b_0, b_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * (left + right)) return;
  const int whole = left + right;
  const long long r = item / whole, i = item % whole;
  y(r, i) = i < left ? a(r, i) : b(r, i - left);
}
