// X / (1 - p) where the mask keeps it, else 0.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto x = c.input("x");
  const auto mask = c.input("mask");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    y[i] = mask.integer_at(i) != 0 ? gate::rounded_more(x[i] * S(1 / (1 - c.attribute("p"))), 2)
                                   : S(0);
  }
}

}  // namespace
