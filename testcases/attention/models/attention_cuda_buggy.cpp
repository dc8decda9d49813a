// Attention without its scale 1/sqrt(d).
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto q = c.input("q");
  const auto k = c.input("k");
  const auto v = c.input("v");
  const auto o = c.output("o");
  gate::AttentionKeys<S> keys;
  keys.count = c.axis("n");
  keys.key = [&](std::int64_t j) { return k.row(j); };
  keys.value = [&](std::int64_t j) { return v.row(j); };
  keys.scale = 1;
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    o.set_row(gate::attention(c, q.row(i), keys), i);
  }
}

}  // namespace
