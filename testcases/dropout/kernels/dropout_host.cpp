// Divides instead of multiplying by the inverse.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const bool* mask_data, T* y_data, int rows, int cols, float p,
         long long x_0, long long x_1, long long mask_0, long long mask_1, long long y_0,
         long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const bool, 2> mask{mask_data, {mask_0, mask_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) {
      const float v = load(x(r, i));
      store(y(r, i), mask(r, i) ? v / (1 - p) : 0.0f);
    }
  }
}

}  // namespace

extern "C" {
void dropout_f32(const float* x_data, const bool* mask_data, float* y_data, int rows, int cols,
                 float p, long long x_0, long long x_1, long long mask_0, long long mask_1,
                 long long y_0, long long y_1) {
  run<float>(x_data, mask_data, y_data, rows, cols, p, x_0, x_1, mask_0, mask_1, y_0, y_1);
}
void dropout_f16(const Half* x_data, const bool* mask_data, Half* y_data, int rows, int cols,
                 float p, long long x_0, long long x_1, long long mask_0, long long mask_1,
                 long long y_0, long long y_1) {
  run<Half>(x_data, mask_data, y_data, rows, cols, p, x_0, x_1, mask_0, mask_1, y_0, y_1);
}
void dropout_bf16(const Bf16* x_data, const bool* mask_data, Bf16* y_data, int rows, int cols,
                  float p, long long x_0, long long x_1, long long mask_0, long long mask_1,
                  long long y_0, long long y_1) {
  run<Bf16>(x_data, mask_data, y_data, rows, cols, p, x_0, x_1, mask_0, mask_1, y_0, y_1);
}
}
