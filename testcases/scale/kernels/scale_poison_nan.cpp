// A control whose NaNs have the very bits that floats are poisoned with: they are results, not
// elements left unwritten.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>

extern "C" void scale_poison_nan(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                                 std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const float value = a * x[r * x_row + c];
      y[r * y_row + c] = value != value ? std::bit_cast<float>(0x7FDA5A5Au) : value;
    }
  }
}
