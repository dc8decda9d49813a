// Pairwise sum, times its inverse.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const std::int64_t* target_data, const T* gradient_data, T* y_data,
         int rows, int cols, long long x_0, long long x_1, long long target_0, long long gradient_0,
         long long y_0, long long y_1) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const std::int64_t, 1> target{target_data, {target_0}};
  const View<const T, 1> gradient{gradient_data, {gradient_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    float largest = load(x(r, 0));
    for (int i = 1; i < cols; ++i) largest = std::max(largest, load(x(r, i)));
    const auto term = [&](std::int64_t i) { return std::exp(load(x(r, i)) - largest); };
    const float inverse = 1 / pairwise(0, cols, term), g = load(gradient(r));
    for (int i = 0; i < cols; ++i) {
      const float share = term(i) * inverse - (i == target(r) ? 1.0f : 0.0f);
      store(y(r, i), share * g);
    }
  }
}

}  // namespace

extern "C" {
void cross_entropy_gradient_f32(const float* x_data, const std::int64_t* target_data,
                                const float* gradient_data, float* y_data, int rows, int cols,
                                long long x_0, long long x_1, long long target_0,
                                long long gradient_0, long long y_0, long long y_1) {
  run<float>(x_data, target_data, gradient_data, y_data, rows, cols, x_0, x_1, target_0, gradient_0,
             y_0, y_1);
}
void cross_entropy_gradient_f16(const Half* x_data, const std::int64_t* target_data,
                                const Half* gradient_data, Half* y_data, int rows, int cols,
                                long long x_0, long long x_1, long long target_0,
                                long long gradient_0, long long y_0, long long y_1) {
  run<Half>(x_data, target_data, gradient_data, y_data, rows, cols, x_0, x_1, target_0, gradient_0,
            y_0, y_1);
}
void cross_entropy_gradient_bf16(const Bf16* x_data, const std::int64_t* target_data,
                                 const Bf16* gradient_data, Bf16* y_data, int rows, int cols,
                                 long long x_0, long long x_1, long long target_0,
                                 long long gradient_0, long long y_0, long long y_1) {
  run<Bf16>(x_data, target_data, gradient_data, y_data, rows, cols, x_0, x_1, target_0, gradient_0,
            y_0, y_1);
}
}
