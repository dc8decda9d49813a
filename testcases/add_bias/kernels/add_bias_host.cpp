// Operands exchanged.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const T* bias_data, T* y_data, int rows, int cols, long long x_0,
         long long x_1, long long bias_0, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const T, 1> bias{bias_data, {bias_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) {
      const float v = load(x(r, i));
      store(y(r, i), load(bias(i)) + v);
    }
  }
}

}  // namespace

extern "C" {
void add_bias_f32(const float* x_data, const float* bias_data, float* y_data, int rows, int cols,
                  long long x_0, long long x_1, long long bias_0, long long y_0, long long y_1) {
  run<float>(x_data, bias_data, y_data, rows, cols, x_0, x_1, bias_0, y_0, y_1);
}
void add_bias_f16(const Half* x_data, const Half* bias_data, Half* y_data, int rows, int cols,
                  long long x_0, long long x_1, long long bias_0, long long y_0, long long y_1) {
  run<Half>(x_data, bias_data, y_data, rows, cols, x_0, x_1, bias_0, y_0, y_1);
}
void add_bias_bf16(const Bf16* x_data, const Bf16* bias_data, Bf16* y_data, int rows, int cols,
                   long long x_0, long long x_1, long long bias_0, long long y_0, long long y_1) {
  run<Bf16>(x_data, bias_data, y_data, rows, cols, x_0, x_1, bias_0, y_0, y_1);
}
}
