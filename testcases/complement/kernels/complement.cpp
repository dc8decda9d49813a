// The bitwise complement of bytes. 90 (0x5A), which integers are poisoned with, is a result like
// any other.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

extern "C" void complement(const std::int8_t* x, std::int8_t* y, std::int64_t n,
                           std::int64_t x_step, std::int64_t y_step) {
  for (std::int64_t i = 0; i < n; ++i) y[i * y_step] = static_cast<std::int8_t>(~x[i * x_step]);
}
