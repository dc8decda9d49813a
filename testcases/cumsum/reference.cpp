// Running sum along the last axis.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto row = x.row(r);
    for (std::int64_t i = 0; i < row.size(); ++i) y(r, i) = gate::sum(c, row.part(0, i + 1));
  }
}

}  // namespace
