// Softmax on a multiple of 20 lanes; those beyond the row hold zero.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

constexpr long lanes = 20;

extern "C" void softmax_lanes20(const float* x, float* y, long rows, long cols, long xr, long xc,
                                long yr, long yc) {
  for (long r = 0; r < rows; ++r) {
    std::vector<float> row(static_cast<std::size_t>((cols + lanes - 1) / lanes * lanes), 0.0f);
    for (long c = 0; c < cols; ++c) row[static_cast<std::size_t>(c)] = x[r * xr + c * xc];
    const float top = *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (float& value : row) sum += value = std::exp(value - top);
    for (long c = 0; c < cols; ++c) y[r * yr + c * yc] = row[static_cast<std::size_t>(c)] / sum;
  }
}
