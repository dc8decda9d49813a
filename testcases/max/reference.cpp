// Maximum over the last axis, NaN if the row has one.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    S largest = x(r, 0);
    for (std::int64_t i = 1; i < c.axis("cols"); ++i) largest = gate::max(largest, x(r, i));
    y(r) = largest;
  }
}

}  // namespace
