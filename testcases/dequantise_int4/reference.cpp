// Two codes a byte, low half first, less 8, times the scale of their row.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto code = c.input("code");
  const auto scale = c.input("scale");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t p = 0; p < c.axis("pairs"); ++p) {
      const std::int64_t both = code.integer(r, p);
      y(r, 2 * p) = scale(r) * S(static_cast<double>(both % 16 - 8));
      y(r, 2 * p + 1) = scale(r) * S(static_cast<double>(both / 16 - 8));
    }
  }
}

}  // namespace
