// Root-mean-square norm without its root.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  const double eps = c.attribute("eps");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    const auto row = x.row(r);
    S squares = 0;
    for (std::int64_t i = 0; i < row.size(); ++i) squares += row[i] * row[i];
    const S scale = 1 / (squares / static_cast<double>(row.size()) + eps);
    for (std::int64_t i = 0; i < row.size(); ++i) y(r, i) = row[i] * scale;
  }
}

}  // namespace
