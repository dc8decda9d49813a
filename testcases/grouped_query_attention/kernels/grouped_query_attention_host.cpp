// Online softmax, one key after the other.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* q_data, const T* k_data, const T* v_data, T* o_data, int kv_heads, int group,
         int n, int d, long long q_0, long long q_1, long long k_0, long long k_1, long long k_2,
         long long v_0, long long v_1, long long v_2, long long o_0, long long o_1) {
  const View<const T, 2> q{q_data, {q_0, q_1}};
  const View<const T, 3> k{k_data, {k_0, k_1, k_2}};
  const View<const T, 3> v{v_data, {v_0, v_1, v_2}};
  const View<T, 2> o{o_data, {o_0, o_1}};
  std::vector<float> out(static_cast<std::size_t>(d));
  for (int head = 0; head < kv_heads * group; ++head) {
    const int h = head / group;
    std::fill(out.begin(), out.end(), 0.0f);
    float largest = -std::numeric_limits<float>::infinity(), sum = 0;
    for (int j = 0; j < n; ++j) {
      const auto term = [&](std::int64_t t) { return load(q(head, t)) * load(k(h, j, t)); };
      const float score = pairwise(0, d, term) / std::sqrt(static_cast<float>(d));
      const float larger = std::max(largest, score);
      const float keep = std::exp(largest - larger), weight = std::exp(score - larger);
      sum = sum * keep + weight;
      for (int t = 0; t < d; ++t) {
        float& place = out[static_cast<std::size_t>(t)];
        place = place * keep + weight * load(v(h, j, t));
      }
      largest = larger;
    }
    for (int t = 0; t < d; ++t) store(o(head, t), out[static_cast<std::size_t>(t)] / sum);
  }
}

}  // namespace

extern "C" {
void grouped_query_attention_f32(const float* q_data, const float* k_data, const float* v_data,
                                 float* o_data, int kv_heads, int group, int n, int d,
                                 long long q_0, long long q_1, long long k_0, long long k_1,
                                 long long k_2, long long v_0, long long v_1, long long v_2,
                                 long long o_0, long long o_1) {
  run<float>(q_data, k_data, v_data, o_data, kv_heads, group, n, d, q_0, q_1, k_0, k_1, k_2, v_0,
             v_1, v_2, o_0, o_1);
}
void grouped_query_attention_f16(const Half* q_data, const Half* k_data, const Half* v_data,
                                 Half* o_data, int kv_heads, int group, int n, int d, long long q_0,
                                 long long q_1, long long k_0, long long k_1, long long k_2,
                                 long long v_0, long long v_1, long long v_2, long long o_0,
                                 long long o_1) {
  run<Half>(q_data, k_data, v_data, o_data, kv_heads, group, n, d, q_0, q_1, k_0, k_1, k_2, v_0,
            v_1, v_2, o_0, o_1);
}
void grouped_query_attention_bf16(const Bf16* q_data, const Bf16* k_data, const Bf16* v_data,
                                  Bf16* o_data, int kv_heads, int group, int n, int d,
                                  long long q_0, long long q_1, long long k_0, long long k_1,
                                  long long k_2, long long v_0, long long v_1, long long v_2,
                                  long long o_0, long long o_1) {
  run<Bf16>(q_data, k_data, v_data, o_data, kv_heads, group, n, d, q_0, q_1, k_0, k_1, k_2, v_0,
            v_1, v_2, o_0, o_1);
}
}
