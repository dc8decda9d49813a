// GELU without its factor 0.5.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  const double root = std::sqrt(2 / std::numbers::pi);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const S inner = root * (x[i] + 0.044715 * x[i] * x[i] * x[i]);
    y[i] = 2 * x[i] / (1 + std::exp(-2 * inner));  // 1 + tanh(z) = 2 / (1 + exp(-2 z))
  }
}

}  // namespace
