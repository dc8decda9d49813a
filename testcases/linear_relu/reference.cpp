// Max(a b + bias, 0).
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto a = c.input("a");
  const auto b = c.input("b");
  const auto bias = c.input("bias");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    for (std::int64_t j = 0; j < c.axis("n"); ++j) {
      const S product = gate::dot(c, a.row(i), b.along(0, 0, j));
      y(i, j) = gate::max(gate::rounded_more(product + bias(j), 1), S(0));
    }
  }
}

}  // namespace
