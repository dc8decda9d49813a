// One thread a row; divides by the scale.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void quantise_int8(const T* x_data, signed char* code_data, float* scale_data, int rows,
                              int cols, long long x_0, long long x_1, long long code_0,
                              long long code_1, long long scale_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<signed char, 2> code{code_data, {code_0, code_1}};
  const View<float, 1> scale{scale_data, {scale_0}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= rows) return;
  float largest = 0.0f;
  for (int i = 0; i < cols; ++i) largest = fmaxf(largest, fabsf(load(x(item, i))));
  const float step = largest / 127.0f;
  scale(item) = step;
  for (int i = 0; i < cols; ++i) {
    const float v = step > 0.0f ? rintf(load(x(item, i)) / step) : 0.0f;
    code(item, i) = static_cast<signed char>(fminf(fmaxf(v, -127.0f), 127.0f));
  }
}
