// Each row in ascending order; rows without NaN.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto line = x.row(r);
    std::vector<S> row;
    for (std::int64_t i = 0; i < line.size(); ++i) row.push_back(line[i]);
    std::sort(row.begin(), row.end(),
              [](const S& a, const S& b) { return gate::value_of(a) < gate::value_of(b); });
    y.set_row(row, r);
  }
}

}  // namespace
