// Log of the softmax over the last axis.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto row = x.row(r);
    if (gate::fully_masked(row)) {
      y.leave_row_open(r);
      continue;
    }
    y.set_row(gate::log_softmax(c, row), r);
  }
}

}  // namespace
