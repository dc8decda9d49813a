// A launcher for at most 1024 columns that says so by its result.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" int scale_launch_failed(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                                   std::int64_t y_row, float a) {
  if (cols > 1024) return 9;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) y[r * y_row + c] = a * x[r * x_row + c];
  }
  return 0;
}
