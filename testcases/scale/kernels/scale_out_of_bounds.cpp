// Stores four elements at a time, also the last ones of a row: up to three lie behind its end.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale_out_of_bounds(const float* x, float* y, int rows, int cols,
                                    std::int64_t x_row, std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; c += 4) {
      for (int i = 0; i < 4; ++i) {
        y[r * y_row + c + i] = c + i < cols ? a * x[r * x_row + c + i] : 0.0f;
      }
    }
  }
}
