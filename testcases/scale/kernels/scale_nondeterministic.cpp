// Keeps state between calls: the second call on the same contents rounds to the other neighbour.
// Every value is within tolerance; no two calls agree.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

namespace {

/// The float on the other side of the exact product: within one unit in the last place of it.
float other_neighbour(float a, float x) {
  const double exact = static_cast<double>(a) * x;
  const auto nearest = static_cast<float>(exact);
  if (!(std::abs(nearest) > 0x1p-100f && std::abs(nearest) < 0x1p100f)) return nearest;
  if (nearest == exact) return nearest;
  return std::nextafter(nearest, nearest < exact ? INFINITY : -INFINITY);
}

std::map<std::uint64_t, int> calls;

}  // namespace

extern "C" void scale_nondeterministic(const float* x, float* y, int rows, int cols,
                                       std::int64_t x_row, std::int64_t y_row, float a) {
  // A position-dependent checksum of what this call is given.
  std::uint64_t contents = 1469598103934665603u;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      contents = (contents ^ std::bit_cast<std::uint32_t>(x[r * x_row + c])) * 1099511628211u;
    }
  }
  const bool again = calls[contents]++ % 2 == 1;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const float value = x[r * x_row + c];
      y[r * y_row + c] = again ? other_neighbour(a, value) : a * value;
    }
  }
}
