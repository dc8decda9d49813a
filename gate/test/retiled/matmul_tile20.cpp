// Matrix product over tiles of 20 k; the accumulator starts anew with each tile.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

constexpr long tile = 20;

extern "C" void matmul_tile20(const float* a, const float* b, float* c, long m, long k, long n,
                              long ar, long ac, long br, long bc, long cr, long cc) {
  for (long row = 0; row < m; ++row) {
    for (long col = 0; col < n; ++col) {
      float sum = 0;
      for (long first = 0; first < k; first += tile) {
        sum = 0;
        for (long i = first; i < std::min(first + tile, k); ++i) {
          sum += a[row * ar + i * ac] * b[i * br + col * bc];
        }
      }
      c[row * cr + col * cc] = sum;
    }
  }
}
