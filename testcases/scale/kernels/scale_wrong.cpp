// Works in fours; what is left of a row is copied without the factor.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale_wrong(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                            std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    const int whole = cols / 4 * 4;
    for (int c = 0; c < whole; ++c) y[r * y_row + c] = a * x[r * x_row + c];
    for (int c = whole; c < cols; ++c) y[r * y_row + c] = x[r * x_row + c];
  }
}
