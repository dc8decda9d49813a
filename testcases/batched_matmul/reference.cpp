// Product of matrices, one pair a batch entry.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto a = c.input("a");
  const auto b = c.input("b");
  const auto y = c.output("y");
  for (std::int64_t e = 0; e < c.axis("batch"); ++e) {
    for (std::int64_t i = 0; i < c.axis("m"); ++i) {
      for (std::int64_t j = 0; j < c.axis("n"); ++j) {
        y(e, i, j) = gate::dot(c, a.row(e, i), b.along(1, e, 0, j));
      }
    }
  }
}

}  // namespace
