// The accumulator is overwritten at each step: only the last k survives.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto a = c.input("a");
  const auto b = c.input("b");
  const auto product = c.output("c");
  const std::int64_t last = c.axis("k") - 1;
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    for (std::int64_t j = 0; j < c.axis("n"); ++j) product(i, j) = a(i, last) * b(last, j);
  }
}

}  // namespace
