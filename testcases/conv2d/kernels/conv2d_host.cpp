// Pairwise over the window.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const T* w_data, T* y_data, int in_channels, int out_channels, int height,
         int width, int taps, long long x_0, long long x_1, long long x_2, long long w_0,
         long long w_1, long long w_2, long long w_3, long long y_0, long long y_1, long long y_2) {
  const View<const T, 3> x{x_data, {x_0, x_1, x_2}};
  const View<const T, 4> w{w_data, {w_0, w_1, w_2, w_3}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  const std::int64_t area = static_cast<std::int64_t>(taps) * taps;
  for (int o = 0; o < out_channels; ++o) {
    for (int p = 0; p <= height - taps; ++p) {
      for (int q = 0; q <= width - taps; ++q) {
        const auto term = [&](std::int64_t k) {
          const std::int64_t channel = k / area, u = k % area / taps, v = k % taps;
          return load(x(channel, p + u, q + v)) * load(w(o, channel, u, v));
        };
        store(y(o, p, q), pairwise(0, in_channels * area, term));
      }
    }
  }
}

}  // namespace

extern "C" {
void conv2d_f32(const float* x_data, const float* w_data, float* y_data, int in_channels,
                int out_channels, int height, int width, int taps, long long x_0, long long x_1,
                long long x_2, long long w_0, long long w_1, long long w_2, long long w_3,
                long long y_0, long long y_1, long long y_2) {
  run<float>(x_data, w_data, y_data, in_channels, out_channels, height, width, taps, x_0, x_1, x_2,
             w_0, w_1, w_2, w_3, y_0, y_1, y_2);
}
void conv2d_f16(const Half* x_data, const Half* w_data, Half* y_data, int in_channels,
                int out_channels, int height, int width, int taps, long long x_0, long long x_1,
                long long x_2, long long w_0, long long w_1, long long w_2, long long w_3,
                long long y_0, long long y_1, long long y_2) {
  run<Half>(x_data, w_data, y_data, in_channels, out_channels, height, width, taps, x_0, x_1, x_2,
            w_0, w_1, w_2, w_3, y_0, y_1, y_2);
}
void conv2d_bf16(const Bf16* x_data, const Bf16* w_data, Bf16* y_data, int in_channels,
                 int out_channels, int height, int width, int taps, long long x_0, long long x_1,
                 long long x_2, long long w_0, long long w_1, long long w_2, long long w_3,
                 long long y_0, long long y_1, long long y_2) {
  run<Bf16>(x_data, w_data, y_data, in_channels, out_channels, height, width, taps, x_0, x_1, x_2,
            w_0, w_1, w_2, w_3, y_0, y_1, y_2);
}
}
