// A divided by b, rounded down, integers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto a = c.input("a");
  const auto b = c.input("b");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    const std::int64_t u = a.integer_at(i), v = b.integer_at(i);
    y.set_integer(i, u / v - (u % v < 0 ? 1 : 0));
  }
}

}  // namespace
