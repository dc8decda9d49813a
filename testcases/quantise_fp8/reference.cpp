// X over the scale of its row in e4m3, saturating at 448.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto scale = c.input("scale");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t i = 0; i < c.axis("cols"); ++i) {
      if (gate::value_of(scale(r)) == 0) {
        y(r, i) = S(0);
        y.leave_open(r * c.axis("cols") + i);
      } else {
        y(r, i) = x(r, i) / scale(r);
      }
    }
  }
}

}  // namespace
