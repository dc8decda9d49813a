// Attention of query i over keys up to i + n - m, zero where it sees none.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto q = c.input("q");
  const auto k = c.input("k");
  const auto v = c.input("v");
  const auto o = c.output("o");
  gate::AttentionKeys<S> keys;
  keys.key = [&](std::int64_t j) { return k.row(j); };
  keys.value = [&](std::int64_t j) { return v.row(j); };
  keys.scale = 1 / std::sqrt(static_cast<double>(c.axis("d")));
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    keys.count = i + c.axis("n") - c.axis("m") + 1;
    if (keys.count > 0) {
      o.set_row(gate::attention(c, q.row(i), keys), i);
    } else {
      for (std::int64_t t = 0; t < c.axis("d"); ++t) o(i, t) = S(0);
    }
  }
}

}  // namespace
