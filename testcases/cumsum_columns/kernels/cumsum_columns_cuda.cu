// One thread a column.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void cumsum_columns(const T* x_data, T* y_data, int rows, int cols, long long x_0,
    long long x_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= cols) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; ++r) {
    sum += load(x(r, item));
    store(y(r, item), sum);
  }
}
