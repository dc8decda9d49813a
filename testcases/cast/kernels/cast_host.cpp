// Conversions of the host.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T_x, class T_y>
void run(const T_x* x_data, T_y* y_data, int rows, int cols, long long x_0, long long x_1,
         long long y_0, long long y_1) {
  const View<const T_x, 2> x{x_data, {x_0, x_1}};
  const View<T_y, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) store(y(r, i), load(x(r, i)));
  }
}

}  // namespace

extern "C" {
void cast_f32_f16(const float* x_data, Half* y_data, int rows, int cols, long long x_0,
                  long long x_1, long long y_0, long long y_1) {
  run<float, Half>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cast_f32_bf16(const float* x_data, Bf16* y_data, int rows, int cols, long long x_0,
                   long long x_1, long long y_0, long long y_1) {
  run<float, Bf16>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cast_f16_f32(const Half* x_data, float* y_data, int rows, int cols, long long x_0,
                  long long x_1, long long y_0, long long y_1) {
  run<Half, float>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
}
