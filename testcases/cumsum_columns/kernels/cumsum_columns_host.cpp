// Each sum pairwise, anew.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, T* y_data, int rows, int cols, long long x_0, long long x_1,
         long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int i = 0; i < cols; ++i) {
    for (int r = 0; r < rows; ++r) {
      store(y(r, i), pairwise(0, r + 1, [&](std::int64_t k) { return load(x(k, i)); }));
    }
  }
}

}  // namespace

extern "C" {
void cumsum_columns_f32(const float* x_data, float* y_data, int rows, int cols, long long x_0,
                        long long x_1, long long y_0, long long y_1) {
  run<float>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cumsum_columns_f16(const Half* x_data, Half* y_data, int rows, int cols, long long x_0,
                        long long x_1, long long y_0, long long y_1) {
  run<Half>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
void cumsum_columns_bf16(const Bf16* x_data, Bf16* y_data, int rows, int cols, long long x_0,
                         long long x_1, long long y_0, long long y_1) {
  run<Bf16>(x_data, y_data, rows, cols, x_0, x_1, y_0, y_1);
}
}
