// The control: a * x.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                      std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) y[r * y_row + c] = a * x[r * x_row + c];
  }
}
