// Goes through an intermediate scaled by 2^122, which overflows for |a * x| of 64 and more.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void scale_nonfinite(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                                std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const volatile float large = a * (x[r * x_row + c] * 0x1p122f);
      y[r * y_row + c] = large * 0x1p-122f;
    }
  }
}
