// Pairwise over each row.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, T* y_data, int rows, int cols, long long x_0, long long x_1,
         long long y_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 1> y{y_data, {y_0}};
  for (int r = 0; r < rows; ++r) {
    store(y(r), pairwise(0, cols, [&](std::int64_t i) { return load(x(r, i)); }));
  }
}

}  // namespace

extern "C" {
void sum_f32(const float* x_data, float* y_data, int rows, int cols, long long x_0, long long x_1,
             long long y_0) {
  run<float>(x_data, y_data, rows, cols, x_0, x_1, y_0);
}
void sum_f16(const Half* x_data, Half* y_data, int rows, int cols, long long x_0, long long x_1,
             long long y_0) {
  run<Half>(x_data, y_data, rows, cols, x_0, x_1, y_0);
}
void sum_bf16(const Bf16* x_data, Bf16* y_data, int rows, int cols, long long x_0, long long x_1,
              long long y_0) {
  run<Bf16>(x_data, y_data, rows, cols, x_0, x_1, y_0);
}
}
