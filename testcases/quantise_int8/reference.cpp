// Codes -127 to 127 of each row by its largest magnitude, and the scale; a zero row has zeros.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto code = c.output("code");
  const auto scale = c.output("scale");
  const double unit = 0x1p-24, least = 0x1p-149;
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto row = x.row(r);
    S largest = S(0);
    for (std::int64_t i = 0; i < row.size(); ++i) largest = gate::max(largest, gate::abs(row[i]));
    const S step = largest / S(127);
    scale(r) = step;
    for (std::int64_t i = 0; i < row.size(); ++i) {
      const std::int64_t at = r * row.size() + i;
      const double exact = gate::value_of(row[i]) * 127 / gate::value_of(largest);
      if (gate::value_of(largest) == 0) {
        code.set_integer(at, 0);
        continue;
      }
      // The scale is rounded, the quotient too; tiny scales lose digits to underflow.
      const double lost = std::abs(exact) * (4 * unit + least / gate::value_of(step));
      const auto low = std::lrint(std::clamp(std::nearbyint(exact - lost), -127.0, 127.0));
      const auto high = std::lrint(std::clamp(std::nearbyint(exact + lost), -127.0, 127.0));
      code.set_integer(at, std::lrint(std::clamp(std::nearbyint(exact), -127.0, 127.0)));
      if (high - low > 2 || gate::value_of(step) < least) {
        code.leave_open(at);
        continue;
      }
      for (auto legal = low; legal <= high; ++legal) code.also(at, legal);
    }
  }
}

}  // namespace
