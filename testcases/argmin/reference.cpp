// Index of the smallest element of each row, any of several; rows without NaN.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < c.axis("cols"); ++i) {
      if (gate::value_of(x(r, i)) < gate::value_of(x(r, best))) best = i;
    }
    y.set_integer(r, best);
  }
}

}  // namespace
