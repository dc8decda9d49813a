// Softmax over rows padded with zeros to a power of two; the zeros stay in maximum and sum.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto row = x.row(r);
    std::int64_t lanes = 1;
    while (lanes < row.size()) lanes *= 2;
    const std::int64_t pads = lanes - row.size();
    S largest = pads > 0 ? 0 : -gate::infinity;
    for (std::int64_t i = 0; i < row.size(); ++i) {
      if (row[i] > largest) largest = row[i];
    }
    S total = static_cast<S>(pads) * std::exp(-largest);
    if (pads == 0) total = 0;
    for (std::int64_t i = 0; i < row.size(); ++i) total += std::exp(row[i] - largest);
    for (std::int64_t i = 0; i < row.size(); ++i) y(r, i) = std::exp(row[i] - largest) / total;
  }
}

}  // namespace
