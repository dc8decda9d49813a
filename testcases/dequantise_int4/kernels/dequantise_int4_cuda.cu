// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void dequantise_int4(const unsigned char* code_data, const T* scale_data, T* y_data,
                                int rows, int pairs, long long code_0, long long code_1,
                                long long scale_0, long long y_0, long long y_1) {
  const View<const unsigned char, 2> code{code_data, {code_0, code_1}};
  const View<const T, 1> scale{scale_data, {scale_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * pairs) return;
  const long long r = item / pairs, p = item % pairs;
  const int both = code(r, p);
  const float factor = load(scale(r));
  store(y(r, 2 * p), factor * static_cast<float>((both & 15) - 8));
  store(y(r, 2 * p + 1), factor * static_cast<float>((both >> 4) - 8));
}
