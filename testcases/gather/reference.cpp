// Elements of each row by index.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto index = c.input("index");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t p = 0; p < c.axis("picks"); ++p) y(r, p) = x(r, index.integer(r, p));
  }
}

}  // namespace
