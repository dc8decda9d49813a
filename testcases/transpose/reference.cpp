// Y[j, i] = x[i, j].
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < c.axis("rows"); ++i) {
    for (std::int64_t j = 0; j < c.axis("cols"); ++j) y(j, i) = x(i, j);
  }
}

}  // namespace
