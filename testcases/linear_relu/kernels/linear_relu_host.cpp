// Pairwise over the inner axis.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* a_data, const T* b_data, const T* bias_data, T* y_data, int m, int n, int k,
         long long a_0, long long a_1, long long b_0, long long b_1, long long bias_0,
         long long y_0, long long y_1) {
  const View<const T, 2> a{a_data, {a_0, a_1}};
  const View<const T, 2> b{b_data, {b_0, b_1}};
  const View<const T, 1> bias{bias_data, {bias_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto term = [&](std::int64_t l) { return load(a(i, l)) * load(b(l, j)); };
      const float sum = pairwise(0, k, term) + load(bias(j));
      store(y(i, j), sum < 0 ? 0 : sum);
    }
  }
}

}  // namespace

extern "C" {
void linear_relu_f32(const float* a_data, const float* b_data, const float* bias_data,
                     float* y_data, int m, int n, int k, long long a_0, long long a_1,
                     long long b_0, long long b_1, long long bias_0, long long y_0, long long y_1) {
  run<float>(a_data, b_data, bias_data, y_data, m, n, k, a_0, a_1, b_0, b_1, bias_0, y_0, y_1);
}
void linear_relu_f16(const Half* a_data, const Half* b_data, const Half* bias_data, Half* y_data,
                     int m, int n, int k, long long a_0, long long a_1, long long b_0,
                     long long b_1, long long bias_0, long long y_0, long long y_1) {
  run<Half>(a_data, b_data, bias_data, y_data, m, n, k, a_0, a_1, b_0, b_1, bias_0, y_0, y_1);
}
void linear_relu_bf16(const Bf16* a_data, const Bf16* b_data, const Bf16* bias_data, Bf16* y_data,
                      int m, int n, int k, long long a_0, long long a_1, long long b_0,
                      long long b_1, long long bias_0, long long y_0, long long y_1) {
  run<Bf16>(a_data, b_data, bias_data, y_data, m, n, k, a_0, a_1, b_0, b_1, bias_0, y_0, y_1);
}
}
