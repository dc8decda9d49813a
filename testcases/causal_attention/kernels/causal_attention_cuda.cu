// One thread a query, three passes.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void causal_attention(const T* q_data, const T* k_data, const T* v_data, T* o_data,
                                 int m, int n, int d, long long q_0, long long q_1, long long k_0,
                                 long long k_1, long long v_0, long long v_1, long long o_0,
                                 long long o_1) {
  const View<const T, 2> q{q_data, {q_0, q_1}};
  const View<const T, 2> k{k_data, {k_0, k_1}};
  const View<const T, 2> v{v_data, {v_0, v_1}};
  const View<T, 2> o{o_data, {o_0, o_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= m) return;
  const int seen = static_cast<int>(item) + n - m + 1;
  const float scale = rsqrtf(static_cast<float>(d));
  const auto score = [&](int j) {
    float dot = 0.0f;
    for (int t = 0; t < d; ++t) dot = fmaf(load(q(item, t)), load(k(j, t)), dot);
    return dot * scale;
  };
  float largest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < seen; ++j) largest = fmaxf(largest, score(j));
  for (int j = 0; j < seen; ++j) sum += expf(score(j) - largest);
  for (int t = 0; t < d; ++t) {
    float out = 0.0f;
    for (int j = 0; j < seen; ++j) out = fmaf(expf(score(j) - largest), load(v(j, t)), out);
    store(o(item, t), seen > 0 ? out / sum : 0.0f);
  }
}
