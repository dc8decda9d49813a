// Turned in double.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const T* cosine_data, const T* sine_data, T* y_data, int rows, int half,
         long long x_0, long long x_1, long long cosine_0, long long cosine_1, long long sine_0,
         long long sine_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const T, 2> cosine{cosine_data, {cosine_0, cosine_1}};
  const View<const T, 2> sine{sine_data, {sine_0, sine_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < half; ++i) {
      const double first = load(x(r, i)), second = load(x(r, i + half));
      const double turn_c = load(cosine(r, i)), turn_s = load(sine(r, i));
      store(y(r, i), static_cast<float>(first * turn_c - second * turn_s));
      store(y(r, i + half), static_cast<float>(second * turn_c + first * turn_s));
    }
  }
}

}  // namespace

extern "C" {
void rope_f32(const float* x_data, const float* cosine_data, const float* sine_data, float* y_data,
              int rows, int half, long long x_0, long long x_1, long long cosine_0,
              long long cosine_1, long long sine_0, long long sine_1, long long y_0,
              long long y_1) {
  run<float>(x_data, cosine_data, sine_data, y_data, rows, half, x_0, x_1, cosine_0, cosine_1,
             sine_0, sine_1, y_0, y_1);
}
void rope_f16(const Half* x_data, const Half* cosine_data, const Half* sine_data, Half* y_data,
              int rows, int half, long long x_0, long long x_1, long long cosine_0,
              long long cosine_1, long long sine_0, long long sine_1, long long y_0,
              long long y_1) {
  run<Half>(x_data, cosine_data, sine_data, y_data, rows, half, x_0, x_1, cosine_0, cosine_1,
            sine_0, sine_1, y_0, y_1);
}
void rope_bf16(const Bf16* x_data, const Bf16* cosine_data, const Bf16* sine_data, Bf16* y_data,
               int rows, int half, long long x_0, long long x_1, long long cosine_0,
               long long cosine_1, long long sine_0, long long sine_1, long long y_0,
               long long y_1) {
  run<Bf16>(x_data, cosine_data, sine_data, y_data, rows, half, x_0, x_1, cosine_0, cosine_1,
            sine_0, sine_1, y_0, y_1);
}
}
