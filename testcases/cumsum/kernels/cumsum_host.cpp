// Chunks of 64 on top of the sum before them.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, T* y_data, int rows, int cols, long long x_0, long long x_1,
         long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  constexpr int chunk = 64;
  for (int r = 0; r < rows; ++r) {
    float before = 0;
    for (int from = 0; from < cols; from += chunk) {
      float inside = 0;
      for (int i = from; i < std::min(cols, from + chunk); ++i) {
        inside += load(x(r, i));
        store(y(r, i), before + inside);
      }
      before += inside;
    }
  }
}

}  // namespace

extern "C" {
void cumsum_f32(const float* x_data, float* y_data, int rows, int cols, long long x_0,
                long long x_1, long long y_0, long long y_1) {
  run<float>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cumsum_f16(const Half* x_data, Half* y_data, int rows, int cols, long long x_0, long long x_1,
                long long y_0, long long y_1) {
  run<Half>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cumsum_bf16(const Bf16* x_data, Bf16* y_data, int rows, int cols, long long x_0, long long x_1,
                 long long y_0, long long y_1) {
  run<Bf16>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
}
