// Exponential linear unit with alpha 1.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const S below = gate::either_form(gate::expm1(x[i]), gate::exp(x[i]) - S(1));
    y[i] = gate::select(gate::less(x[i], S(0)), below, x[i]);
  }
}

}  // namespace
