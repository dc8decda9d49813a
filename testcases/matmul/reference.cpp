// Product of two matrices.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto a = c.input("a");
  const auto b = c.input("b");
  const auto product = c.output("c");
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    for (std::int64_t j = 0; j < c.axis("n"); ++j) {
      product(i, j) = gate::dot(c, a.row(i), b.along(0, 0, j));
    }
  }
}

}  // namespace
