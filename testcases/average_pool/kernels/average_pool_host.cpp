// From the window's end, times the inverse of its size.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, T* y_data, int rows, int length, int size, int stride, long long x_0,
         long long x_1, long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int p = 0; p <= (length - size) / stride; ++p) {
      float sum = 0;
      for (int t = size - 1; t >= 0; --t) sum += load(x(r, p * stride + t));
      store(y(r, p), sum * (1 / static_cast<float>(size)));
    }
  }
}

}  // namespace

extern "C" {
void average_pool_f32(const float* x_data, float* y_data, int rows, int length, int size,
                      int stride, long long x_0, long long x_1, long long y_0, long long y_1) {
  run<float>(x_data, y_data, rows, length, size, stride, x_0, x_1, y_0, y_1);
}
void average_pool_f16(const Half* x_data, Half* y_data, int rows, int length, int size, int stride,
                      long long x_0, long long x_1, long long y_0, long long y_1) {
  run<Half>(x_data, y_data, rows, length, size, stride, x_0, x_1, y_0, y_1);
}
void average_pool_bf16(const Bf16* x_data, Bf16* y_data, int rows, int length, int size, int stride,
                       long long x_0, long long x_1, long long y_0, long long y_1) {
  run<Bf16>(x_data, y_data, rows, length, size, stride, x_0, x_1, y_0, y_1);
}
}
