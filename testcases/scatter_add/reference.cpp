// Out[s] = sum of the values whose index is s.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto values = c.input("values");
  const auto index = c.input("index");
  const auto y = c.output("y");
  std::vector<std::vector<S>> terms(static_cast<std::size_t>(c.axis("slots")));
  for (std::int64_t i = 0; i < c.axis("count"); ++i) {
    terms[static_cast<std::size_t>(index.integer(i))].push_back(values[i]);
  }
  for (std::int64_t s = 0; s < c.axis("slots"); ++s) {
    y(s) = gate::sum(c, terms[static_cast<std::size_t>(s)]);
  }
}

}  // namespace
