// How often each bin is named.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  std::vector<std::int64_t> counts(static_cast<std::size_t>(c.axis("bins")), 0);
  for (std::int64_t i = 0; i < x.size(); ++i) ++counts[static_cast<std::size_t>(x.integer_at(i))];
  for (std::int64_t b = 0; b < c.axis("bins"); ++b) {
    y.set_integer(b, counts[static_cast<std::size_t>(b)]);
  }
}

}  // namespace
