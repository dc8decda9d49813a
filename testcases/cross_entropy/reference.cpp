// Log(sum exp(x)) - x[target] of each row.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto target = c.input("target");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto logs = gate::log_softmax(c, x.row(r));
    y(r) = -logs[static_cast<std::size_t>(target.integer(r))];
  }
}

}  // namespace
