// One query token: each key head serves a group of query heads.
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
  keys.count = c.axis("n");
  keys.scale = 1 / std::sqrt(static_cast<double>(c.axis("d")));
  for (std::int64_t h = 0; h < q.shape(0); ++h) {
    const std::int64_t served = h / c.axis("group");
    keys.key = [&](std::int64_t j) { return k.row(served, j); };
    keys.value = [&](std::int64_t j) { return v.row(served, j); };
    o.set_row(gate::attention(c, q.row(h), keys), h);
  }
}

}  // namespace
