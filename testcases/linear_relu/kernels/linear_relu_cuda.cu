// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void linear_relu(const T* a_data, const T* b_data, const T* bias_data, T* y_data, int m,
                            int n, int k, long long a_0, long long a_1, long long b_0,
                            long long b_1, long long bias_0, long long y_0, long long y_1) {
  const View<const T, 2> a{a_data, {a_0, a_1}};
  const View<const T, 2> b{b_data, {b_0, b_1}};
  const View<const T, 1> bias{bias_data, {bias_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(m) * n) return;
  const long long i = item / n, j = item % n;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum = fmaf(load(a(i, l)), load(b(l, j)), sum);
  sum += load(bias(j));
  store(y(i, j), sum > 0.0f || sum != sum ? sum : 0.0f);
}
