// One pass: the sum is rescaled whenever the maximum grows.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const std::int64_t* target_data, T* y_data, int rows, int cols,
         long long x_0, long long x_1, long long target_0, long long y_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<const std::int64_t, 1> target{target_data, {target_0}};
  const View<T, 1> y{y_data, {y_0}};
  for (int r = 0; r < rows; ++r) {
    float largest = load(x(r, 0)), sum = 1;
    for (int i = 1; i < cols; ++i) {
      const float v = load(x(r, i));
      if (v > largest) {
        sum = sum * std::exp(largest - v) + 1;
        largest = v;
      } else {
        sum += std::exp(v - largest);
      }
    }
    store(y(r), largest + std::log(sum) - load(x(r, target(r))));
  }
}

}  // namespace

extern "C" {
void cross_entropy_f32(const float* x_data, const std::int64_t* target_data, float* y_data,
                       int rows, int cols, long long x_0, long long x_1, long long target_0,
                       long long y_0) {
  run<float>(x_data, target_data, y_data, rows, cols, x_0, x_1, target_0, y_0);
}
void cross_entropy_f16(const Half* x_data, const std::int64_t* target_data, Half* y_data, int rows,
                       int cols, long long x_0, long long x_1, long long target_0, long long y_0) {
  run<Half>(x_data, target_data, y_data, rows, cols, x_0, x_1, target_0, y_0);
}
void cross_entropy_bf16(const Bf16* x_data, const std::int64_t* target_data, Bf16* y_data, int rows,
                        int cols, long long x_0, long long x_1, long long target_0, long long y_0) {
  run<Bf16>(x_data, target_data, y_data, rows, cols, x_0, x_1, target_0, y_0);
}
}
