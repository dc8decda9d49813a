// Mean of each window of a row.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  const std::int64_t size = c.integer("size"), stride = c.integer("stride");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t p = 0; p < y.shape(1); ++p) {
      y(r, p) = gate::mean(c, x.row(r).part(p * stride, size));
    }
  }
}

}  // namespace
