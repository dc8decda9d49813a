// Looks up a table that has no entry for widths of one beyond a multiple of 32.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale_crash(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                            std::int64_t y_row, float a) {
  static const int present = 1;
  const int* const volatile table[2] = {&present, nullptr};
  if (*table[cols % 32 == 1] != present) return;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) y[r * y_row + c] = a * x[r * x_row + c];
  }
}
