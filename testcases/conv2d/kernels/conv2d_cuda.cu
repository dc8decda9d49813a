// One thread an item.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void conv2d(const T* x_data, const T* w_data, T* y_data, int in_channels,
                       int out_channels, int height, int width, int taps, long long x_0,
                       long long x_1, long long x_2, long long w_0, long long w_1, long long w_2,
                       long long w_3, long long y_0, long long y_1, long long y_2) {
  const View<const T, 3> x{x_data, {x_0, x_1, x_2}};
  const View<const T, 4> w{w_data, {w_0, w_1, w_2, w_3}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(out_channels) * (height - taps + 1) * (width - taps + 1))
    return;
  const int across = width - taps + 1, down = height - taps + 1;
  const long long o = item / (static_cast<long long>(across) * down);
  const long long p = item / across % down, q = item % across;
  float sum = 0.0f;
  for (int ch = 0; ch < in_channels; ++ch) {
    for (int u = 0; u < taps; ++u) {
      for (int v = 0; v < taps; ++v) {
        sum = fmaf(load(x(ch, p + u, q + v)), load(w(o, ch, u, v)), sum);
      }
    }
  }
  store(y(o, p, q), sum);
}
