// Pairwise over the inner axis.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* a_data, const T* b_data, T* y_data, int batch, int m, int n, int k, long long a_0,
         long long a_1, long long a_2, long long b_0, long long b_1, long long b_2, long long y_0,
         long long y_1, long long y_2) {
  const View<const T, 3> a{a_data, {a_0, a_1, a_2}};
  const View<const T, 3> b{b_data, {b_0, b_1, b_2}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  for (int e = 0; e < batch; ++e) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto term = [&](std::int64_t l) { return load(a(e, i, l)) * load(b(e, l, j)); };
        store(y(e, i, j), pairwise(0, k, term));
      }
    }
  }
}

}  // namespace

extern "C" {
void batched_matmul_f32(const float* a_data, const float* b_data, float* y_data, int batch, int m,
                        int n, int k, long long a_0, long long a_1, long long a_2, long long b_0,
                        long long b_1, long long b_2, long long y_0, long long y_1, long long y_2) {
  run<float>(a_data, b_data, y_data, batch, m, n, k, a_0, a_1, a_2, b_0, b_1, b_2, y_0, y_1, y_2);
}
void batched_matmul_f16(const Half* a_data, const Half* b_data, Half* y_data, int batch, int m,
                        int n, int k, long long a_0, long long a_1, long long a_2, long long b_0,
                        long long b_1, long long b_2, long long y_0, long long y_1, long long y_2) {
  run<Half>(a_data, b_data, y_data, batch, m, n, k, a_0, a_1, a_2, b_0, b_1, b_2, y_0, y_1, y_2);
}
void batched_matmul_bf16(const Bf16* a_data, const Bf16* b_data, Bf16* y_data, int batch, int m,
                         int n, int k, long long a_0, long long a_1, long long a_2, long long b_0,
                         long long b_1, long long b_2, long long y_0, long long y_1,
                         long long y_2) {
  run<Bf16>(a_data, b_data, y_data, batch, m, n, k, a_0, a_1, a_2, b_0, b_1, b_2, y_0, y_1, y_2);
}
}
