// Pairwise sums, divided by the root.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, T* y_data, int rows, int cols, float eps, long long x_0, long long x_1,
         long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int i = 0; i < cols; ++i) {
    const auto value = [&](std::int64_t r) { return load(x(r, i)); };
    const float mean = pairwise(0, rows, value) / static_cast<float>(rows);
    const auto square = [&](std::int64_t r) { return (value(r) - mean) * (value(r) - mean); };
    const float variance = pairwise(0, rows, square) / static_cast<float>(rows);
    for (int r = 0; r < rows; ++r) store(y(r, i), (value(r) - mean) / std::sqrt(variance + eps));
  }
}

}  // namespace

extern "C" {
void batch_norm_f32(const float* x_data, float* y_data, int rows, int cols, float eps,
                    long long x_0, long long x_1, long long y_0, long long y_1) {
  run<float>(x_data, y_data, rows, cols, eps, x_0, x_1, y_0, y_1);
}
void batch_norm_f16(const Half* x_data, Half* y_data, int rows, int cols, float eps, long long x_0,
                    long long x_1, long long y_0, long long y_1) {
  run<Half>(x_data, y_data, rows, cols, eps, x_0, x_1, y_0, y_1);
}
void batch_norm_bf16(const Bf16* x_data, Bf16* y_data, int rows, int cols, float eps, long long x_0,
                     long long x_1, long long y_0, long long y_1) {
  run<Bf16>(x_data, y_data, rows, cols, eps, x_0, x_1, y_0, y_1);
}
}
