// (softmax(x) - one at the target) times the gradient of the row.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto target = c.input("target");
  const auto gradient = c.input("gradient");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto shares = gate::softmax(c, x.row(r));
    for (std::int64_t i = 0; i < c.axis("cols"); ++i) {
      const S share = shares[static_cast<std::size_t>(i)];
      y(r, i) = (i == target.integer(r) ? share - S(1) : share) * gradient(r);
    }
  }
}

}  // namespace
