// x * sigmoid(x).
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const S by_tanh = S(0.5) * x[i] * (S(1) + gate::tanh(S(0.5) * x[i]));
    y[i] = gate::either_form(x[i] / (S(1) + gate::exp(-x[i])), by_tanh);
  }
}

}  // namespace
