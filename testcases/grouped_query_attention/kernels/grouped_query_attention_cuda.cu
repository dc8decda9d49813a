// One thread a query head, three passes.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void grouped_query_attention(const T* q_data, const T* k_data, const T* v_data,
                                        T* o_data, int kv_heads, int group, int n, int d,
                                        long long q_0, long long q_1, long long k_0, long long k_1,
                                        long long k_2, long long v_0, long long v_1, long long v_2,
                                        long long o_0, long long o_1) {
  const View<const T, 2> q{q_data, {q_0, q_1}};
  const View<const T, 3> k{k_data, {k_0, k_1, k_2}};
  const View<const T, 3> v{v_data, {v_0, v_1, v_2}};
  const View<T, 2> o{o_data, {o_0, o_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(kv_heads) * group) return;
  const long long h = item / group;
  const float scale = rsqrtf(static_cast<float>(d));
  const auto score = [&](int j) {
    float dot = 0.0f;
    for (int t = 0; t < d; ++t) dot = fmaf(load(q(item, t)), load(k(h, j, t)), dot);
    return dot * scale;
  };
  float largest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < n; ++j) largest = fmaxf(largest, score(j));
  for (int j = 0; j < n; ++j) sum += expf(score(j) - largest);
  for (int t = 0; t < d; ++t) {
    float out = 0.0f;
    for (int j = 0; j < n; ++j) out = fmaf(expf(score(j) - largest), load(v(h, j, t)), out);
    store(o(item, t), out / sum);
  }
}
