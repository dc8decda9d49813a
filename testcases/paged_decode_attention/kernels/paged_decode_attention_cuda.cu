// One thread a head, three passes.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void paged_decode_attention(const T* q_data, const T* k_data, const T* v_data,
                                       const int* table_data, const int* last_data, T* o_data,
                                       int heads, int pages, int page, int used, int d,
                                       long long q_0, long long q_1, long long k_0, long long k_1,
                                       long long k_2, long long v_0, long long v_1, long long v_2,
                                       long long table_0, long long last_0, long long o_0,
                                       long long o_1) {
  const View<const T, 2> q{q_data, {q_0, q_1}};
  const View<const T, 3> k{k_data, {k_0, k_1, k_2}};
  const View<const T, 3> v{v_data, {v_0, v_1, v_2}};
  const View<const int, 1> table{table_data, {table_0}};
  const View<const int, 1> last{last_data, {last_0}};
  const View<T, 2> o{o_data, {o_0, o_1}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= heads) return;
  const int n = (used - 1) * page + last(0) + 1;
  const float scale = rsqrtf(static_cast<float>(d));
  const auto score = [&](int j) {
    float dot = 0.0f;
    for (int t = 0; t < d; ++t) {
      dot = fmaf(load(q(item, t)), load(k(table(j / page), j % page, t)), dot);
    }
    return dot * scale;
  };
  float largest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < n; ++j) largest = fmaxf(largest, score(j));
  for (int j = 0; j < n; ++j) sum += expf(score(j) - largest);
  for (int t = 0; t < d; ++t) {
    float out = 0.0f;
    for (int j = 0; j < n; ++j) {
      out = fmaf(expf(score(j) - largest), load(v(table(j / page), j % page, t)), out);
    }
    store(o(item, t), out / sum);
  }
}
