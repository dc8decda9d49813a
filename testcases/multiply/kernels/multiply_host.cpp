// Operands exchanged.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* a_data, const T* b_data, T* y_data, int rows, int cols, long long a_0,
         long long a_1, long long b_0, long long b_1, long long y_0, long long y_1) {
  const View<const T, 2> a{a_data, {a_0, a_1}};
  const View<const T, 2> b{b_data, {b_0, b_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) {
      const float u = load(a(r, i)), v = load(b(r, i));
      store(y(r, i), v * u);
    }
  }
}

}  // namespace

extern "C" {
void multiply_f32(const float* a_data, const float* b_data, float* y_data, int rows, int cols,
                  long long a_0, long long a_1, long long b_0, long long b_1, long long y_0,
                  long long y_1) {
  run<float>(a_data, b_data, y_data, rows, cols, a_0, a_1, b_0, b_1, y_0, y_1);
}
void multiply_f16(const Half* a_data, const Half* b_data, Half* y_data, int rows, int cols,
                  long long a_0, long long a_1, long long b_0, long long b_1, long long y_0,
                  long long y_1) {
  run<Half>(a_data, b_data, y_data, rows, cols, a_0, a_1, b_0, b_1, y_0, y_1);
}
void multiply_bf16(const Bf16* a_data, const Bf16* b_data, Bf16* y_data, int rows, int cols,
                   long long a_0, long long a_1, long long b_0, long long b_1, long long y_0,
                   long long y_1) {
  run<Bf16>(a_data, b_data, y_data, rows, cols, a_0, a_1, b_0, b_1, y_0, y_1);
}
}
