// Pairwise over the window.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const T* w_data, T* y_data, int in_channels, int out_channels, int length,
         int width, long long x_0, long long x_1, long long w_0, long long w_1, long long w_2,
         long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const T, 3> w{w_data, {w_0, w_1, w_2}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int o = 0; o < out_channels; ++o) {
    for (int p = 0; p <= length - width; ++p) {
      const auto term = [&](std::int64_t k) {
        return load(x(k / width, p + k % width)) * load(w(o, k / width, k % width));
      };
      store(y(o, p), pairwise(0, static_cast<std::int64_t>(in_channels) * width, term));
    }
  }
}

}  // namespace

extern "C" {
void conv1d_f32(const float* x_data, const float* w_data, float* y_data, int in_channels,
                int out_channels, int length, int width, long long x_0, long long x_1,
                long long w_0, long long w_1, long long w_2, long long y_0, long long y_1) {
  run<float>(x_data, w_data, y_data, in_channels, out_channels, length, width, x_0, x_1, w_0, w_1,
             w_2, y_0, y_1);
}
void conv1d_f16(const Half* x_data, const Half* w_data, Half* y_data, int in_channels,
                int out_channels, int length, int width, long long x_0, long long x_1,
                long long w_0, long long w_1, long long w_2, long long y_0, long long y_1) {
  run<Half>(x_data, w_data, y_data, in_channels, out_channels, length, width, x_0, x_1, w_0, w_1,
            w_2, y_0, y_1);
}
void conv1d_bf16(const Bf16* x_data, const Bf16* w_data, Bf16* y_data, int in_channels,
                 int out_channels, int length, int width, long long x_0, long long x_1,
                 long long w_0, long long w_1, long long w_2, long long y_0, long long y_1) {
  run<Bf16>(x_data, w_data, y_data, in_channels, out_channels, length, width, x_0, x_1, w_0, w_1,
            w_2, y_0, y_1);
}
}
