// One thread a slot: no atomics.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void scatter_add(const T* values_data, const int* index_data, T* y_data, int slots,
                            int count, long long values_0, long long index_0, long long y_0) {
  const View<const T, 1> values{values_data, {values_0}};
  const View<const int, 1> index{index_data, {index_0}};
  const View<T, 1> y{y_data, {y_0}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= slots) return;
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    if (index(i) == item) sum += values(i);
  }
  y(item) = sum;
}
