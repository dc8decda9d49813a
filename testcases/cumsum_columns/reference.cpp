// Running sum down the first axis.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < c.axis("cols"); ++i) {
    const auto column = x.along(0, 0, i);
    for (std::int64_t r = 0; r < column.size(); ++r) y(r, i) = gate::sum(c, column.part(0, r + 1));
  }
}

}  // namespace
