// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void embedding(const T* table_data, const long long* index_data, T* y_data, int entries,
                          int tokens, int width, long long table_0, long long table_1,
                          long long index_0, long long y_0, long long y_1) {
  const View<const T, 2> table{table_data, {table_0, table_1}};
  const View<const long long, 1> index{index_data, {index_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(tokens) * width) return;
  const long long t = item / width, i = item % width;
  y(t, i) = table(index(t), i);
}
