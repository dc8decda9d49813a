// One thread an element.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void rope(const T* x_data, const T* cosine_data, const T* sine_data, T* y_data, int rows,
                     int half, long long x_0, long long x_1, long long cosine_0, long long cosine_1,
                     long long sine_0, long long sine_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const T, 2> cosine{cosine_data, {cosine_0, cosine_1}};
  const View<const T, 2> sine{sine_data, {sine_0, sine_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * half) return;
  const long long r = item / half, i = item % half;
  const float first = load(x(r, i)), second = load(x(r, i + half));
  const float turn_c = load(cosine(r, i)), turn_s = load(sine(r, i));
  store(y(r, i), first * turn_c - second * turn_s);
  store(y(r, i + half), second * turn_c + first * turn_s);
}
