// Each column less its mean, over its deviation.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < c.axis("cols"); ++i) {
    const auto column = x.along(0, 0, i);
    const auto m = gate::moments(c, column, c.attribute("eps"));
    for (std::int64_t r = 0; r < column.size(); ++r) y(r, i) = (column[r] - m.mean) * m.scale;
  }
}

}  // namespace
