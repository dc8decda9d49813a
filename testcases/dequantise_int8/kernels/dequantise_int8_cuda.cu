// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void dequantise_int8(const signed char* code_data, const T* scale_data, T* y_data,
                                int rows, int cols, long long code_0, long long code_1,
                                long long scale_0, long long y_0, long long y_1) {
  const View<const signed char, 2> code{code_data, {code_0, code_1}};
  const View<const T, 1> scale{scale_data, {scale_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * cols) return;
  const long long r = item / cols, i = item % cols;
  store(y(r, i), static_cast<float>(code(r, i)) * load(scale(r)));
}
