// A and b side by side.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto a = c.input("a");
  const auto b = c.input("b");
  const auto y = c.output("y");
  const std::int64_t left = c.axis("left");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t i = 0; i < y.shape(1); ++i) y(r, i) = i < left ? a(r, i) : b(r, i - left);
  }
}

}  // namespace
