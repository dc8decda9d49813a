// Rows of a table by index.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto table = c.input("table");
  const auto index = c.input("index");
  const auto y = c.output("y");
  for (std::int64_t t = 0; t < c.axis("tokens"); ++t) {
    for (std::int64_t i = 0; i < c.axis("width"); ++i) y(t, i) = table(index.integer(t), i);
  }
}

}  // namespace
