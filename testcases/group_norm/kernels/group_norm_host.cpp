// Welford's running moments.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, const T* weight_data, const T* bias_data, T* y_data, int batch,
         int groups, int width, float eps, long long x_0, long long x_1, long long x_2,
         long long weight_0, long long weight_1, long long bias_0, long long bias_1, long long y_0,
         long long y_1, long long y_2) {
  const View<const T, 3> x{x_data, {x_0, x_1, x_2}};
  const View<const T, 2> weight{weight_data, {weight_0, weight_1}};
  const View<const T, 2> bias{bias_data, {bias_0, bias_1}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  for (int b = 0; b < batch; ++b) {
    for (int g = 0; g < groups; ++g) {
      float mean = 0, squares = 0;
      for (int i = 0; i < width; ++i) {
        const float d = load(x(b, g, i)) - mean;
        mean += d / static_cast<float>(i + 1);
        squares += d * (load(x(b, g, i)) - mean);
      }
      const float deviation = std::sqrt(squares / static_cast<float>(width) + eps);
      for (int i = 0; i < width; ++i) {
        const float normal = (load(x(b, g, i)) - mean) / deviation;
        store(y(b, g, i), normal * load(weight(g, i)) + load(bias(g, i)));
      }
    }
  }
}

}  // namespace

extern "C" {
void group_norm_f32(const float* x_data, const float* weight_data, const float* bias_data,
                    float* y_data, int batch, int groups, int width, float eps, long long x_0,
                    long long x_1, long long x_2, long long weight_0, long long weight_1,
                    long long bias_0, long long bias_1, long long y_0, long long y_1,
                    long long y_2) {
  run<float>(x_data, weight_data, bias_data, y_data, batch, groups, width, eps, x_0, x_1, x_2,
             weight_0, weight_1, bias_0, bias_1, y_0, y_1, y_2);
}
void group_norm_f16(const Half* x_data, const Half* weight_data, const Half* bias_data,
                    Half* y_data, int batch, int groups, int width, float eps, long long x_0,
                    long long x_1, long long x_2, long long weight_0, long long weight_1,
                    long long bias_0, long long bias_1, long long y_0, long long y_1,
                    long long y_2) {
  run<Half>(x_data, weight_data, bias_data, y_data, batch, groups, width, eps, x_0, x_1, x_2,
            weight_0, weight_1, bias_0, bias_1, y_0, y_1, y_2);
}
void group_norm_bf16(const Bf16* x_data, const Bf16* weight_data, const Bf16* bias_data,
                     Bf16* y_data, int batch, int groups, int width, float eps, long long x_0,
                     long long x_1, long long x_2, long long weight_0, long long weight_1,
                     long long bias_0, long long bias_1, long long y_0, long long y_1,
                     long long y_2) {
  run<Bf16>(x_data, weight_data, bias_data, y_data, batch, groups, width, eps, x_0, x_1, x_2,
            weight_0, weight_1, bias_0, bias_1, y_0, y_1, y_2);
}
}
