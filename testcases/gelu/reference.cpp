// GELU in its tanh form.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  const double root = std::sqrt(2 / std::numbers::pi);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const S inner = S(root) * (x[i] + S(0.044715) * x[i] * x[i] * x[i]);
    // By the sigmoid, whose tail survives in fp64; kernels may use either form.
    const S by_tanh = S(0.5) * x[i] * (S(1) + gate::tanh(inner));
    y[i] = gate::either_form(x[i] / (S(1) + gate::exp(S(-2) * inner)), by_tanh);
  }
}

}  // namespace
