// Stops at the last multiple of eight: the rest of each row is never written.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale_unwritten(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                                std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols / 8 * 8; ++c) y[r * y_row + c] = a * x[r * x_row + c];
  }
}
