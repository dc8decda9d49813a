// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void conv1d(const T* x_data, const T* w_data, T* y_data, int in_channels,
                       int out_channels, int length, int width, long long x_0, long long x_1,
                       long long w_0, long long w_1, long long w_2, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const T, 3> w{w_data, {w_0, w_1, w_2}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(out_channels) * (length - width + 1)) return;
  const int places = length - width + 1;
  const long long o = item / places, p = item % places;
  float sum = 0.0f;
  for (int ch = 0; ch < in_channels; ++ch) {
    for (int t = 0; t < width; ++t) sum = fmaf(load(x(ch, p + t)), load(w(o, ch, t)), sum);
  }
  store(y(o, p), sum);
}
