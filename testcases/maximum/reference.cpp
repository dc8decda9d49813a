// Larger of two elements, NaN if either is.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto a = c.input("a");
  const auto b = c.input("b");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    y[i] = gate::max(a[i], b[i]);
  }
}

}  // namespace
