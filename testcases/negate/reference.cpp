// Each element with its sign turned.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto x = c.input("x");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    y[i] = -x[i];
  }
}

}  // namespace
