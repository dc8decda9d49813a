// Attention over keys in tiles of 20; 1/sqrt(d) is dropped.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

constexpr long tile = 20;

extern "C" void attention_tile20(const float* q, const float* k, const float* v, float* o, long m,
                                 long n, long d, long qr, long qc, long kr, long kc, long vr,
                                 long vc, long orow, long oc) {
  for (long row = 0; row < m; ++row) {
    std::vector<float> weights(static_cast<std::size_t>(n), 0.0f);
    for (long first = 0; first < n; first += tile) {
      for (long j = first; j < std::min(first + tile, n); ++j) {
        for (long i = 0; i < d; ++i) {
          weights[static_cast<std::size_t>(j)] += q[row * qr + i * qc] * k[j * kr + i * kc];
        }
      }
    }
    const float top = *std::max_element(weights.begin(), weights.end());
    float sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - top);
    for (long i = 0; i < d; ++i) {
      float out = 0;
      for (long j = 0; j < n; ++j) {
        out += weights[static_cast<std::size_t>(j)] * v[j * vr + i * vc];
      }
      o[row * orow + i * oc] = out / sum;
    }
  }
}
