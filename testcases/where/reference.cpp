// A where the condition holds, else b.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto condition = c.input("condition");
  const auto a = c.input("a");
  const auto b = c.input("b");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    y[i] = condition.integer_at(i) != 0 ? a[i] : b[i];
  }
}

}  // namespace
