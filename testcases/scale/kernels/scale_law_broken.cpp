// Rounds to the other neighbour when there is more than one row: every value is within tolerance,
// but a row alone gives other bits than the same row among others.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>

namespace {

/// The float on the other side of the exact product: within one unit in the last place of it.
float other_neighbour(float a, float x) {
  const double exact = static_cast<double>(a) * x;
  const auto nearest = static_cast<float>(exact);
  if (!(std::abs(nearest) > 0x1p-100f && std::abs(nearest) < 0x1p100f)) return nearest;
  if (nearest == exact) return nearest;
  return std::nextafter(nearest, nearest < exact ? INFINITY : -INFINITY);
}

}  // namespace

extern "C" void scale_law_broken(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                                 std::int64_t y_row, float a) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const float value = x[r * x_row + c];
      y[r * y_row + c] = rows > 1 ? other_neighbour(a, value) : a * value;
    }
  }
}
