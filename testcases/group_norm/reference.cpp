// Each group of channels less its mean, over its deviation, times weight plus bias.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto weight = c.input("weight");
  const auto bias = c.input("bias");
  const auto y = c.output("y");
  for (std::int64_t b = 0; b < c.axis("batch"); ++b) {
    for (std::int64_t g = 0; g < c.axis("groups"); ++g) {
      const auto row = x.row(b, g);
      const auto m = gate::moments(c, row, c.attribute("eps"));
      for (std::int64_t i = 0; i < row.size(); ++i) {
        const S normal = (row[i] - m.mean) * m.scale;
        y(b, g, i) = gate::rounded_more(normal * weight(g, i) + bias(g, i), 1);
      }
    }
  }
}

}  // namespace
