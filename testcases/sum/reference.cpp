// Sum over the last axis.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) y(r) = gate::sum(c, x.row(r));
}

}  // namespace
