// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void batched_matmul(const T* a_data, const T* b_data, T* y_data, int batch, int m, int n,
                               int k, long long a_0, long long a_1, long long a_2, long long b_0,
                               long long b_1, long long b_2, long long y_0, long long y_1,
                               long long y_2) {
  const View<const T, 3> a{a_data, {a_0, a_1, a_2}};
  const View<const T, 3> b{b_data, {b_0, b_1, b_2}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(batch) * m * n) return;
  const long long e = item / (static_cast<long long>(m) * n), i = item / n % m, j = item % n;
  float sum = 0.0f;
  for (int l = 0; l < k; ++l) sum = fmaf(load(a(e, i, l)), load(b(e, l, j)), sum);
  store(y(e, i, j), sum);
}
