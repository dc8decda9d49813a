// Softmax whose rows are padded with zeros to a multiple of 48.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

constexpr long tile = 48;

extern "C" void softmax_pad48(const float* x, float* y, long rows, long cols, long xr, long xc,
                              long yr, long yc) {
  for (long r = 0; r < rows; ++r) {
    std::vector<float> row(static_cast<std::size_t>((cols + tile - 1) / tile * tile), 0.0f);
    for (long c = 0; c < cols; ++c) row[static_cast<std::size_t>(c)] = x[r * xr + c * xc];
    const float top = *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (float& value : row) sum += value = std::exp(value - top);
    for (long c = 0; c < cols; ++c) y[r * yr + c * yc] = row[static_cast<std::size_t>(c)] / sum;
  }
}
