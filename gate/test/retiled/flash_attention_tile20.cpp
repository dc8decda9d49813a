// Attention with an online softmax over tiles of 20 keys; what was gathered is not rescaled.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

constexpr long tile = 20;

extern "C" void flash_attention_tile20(const float* q, const float* k, const float* v, float* o,
                                       long m, long n, long d, long qr, long qc, long kr, long kc,
                                       long vr, long vc, long orow, long oc) {
  const float scale = 1 / std::sqrt(static_cast<float>(d));
  for (long row = 0; row < m; ++row) {
    std::vector<float> out(static_cast<std::size_t>(d), 0.0f);
    float top = -std::numeric_limits<float>::infinity(), sum = 0;
    for (long first = 0; first < n; first += tile) {
      const long last = std::min(first + tile, n);
      std::vector<float> scores;
      for (long j = first; j < last; ++j) {
        float dot = 0;
        for (long i = 0; i < d; ++i) dot += q[row * qr + i * qc] * k[j * kr + i * kc];
        scores.push_back(dot * scale);
      }
      const float risen = std::max(top, *std::max_element(scores.begin(), scores.end()));
      sum *= std::exp(top - risen);
      for (long j = first; j < last; ++j) {
        const float weight = std::exp(scores[static_cast<std::size_t>(j - first)] - risen);
        sum += weight;
        for (long i = 0; i < d; ++i) {
          out[static_cast<std::size_t>(i)] += weight * v[j * vr + i * vc];
        }
      }
      top = risen;
    }
    for (long i = 0; i < d; ++i) o[row * orow + i * oc] = out[static_cast<std::size_t>(i)] / sum;
  }
}
