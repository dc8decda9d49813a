// One query token a head over keys kept in pages, in the order of a table.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto q = c.input("q");
  const auto k = c.input("k");
  const auto v = c.input("v");
  const auto table = c.input("table");
  const auto o = c.output("o");
  const std::int64_t page = c.axis("page");
  gate::AttentionKeys<S> keys;
  keys.count = (c.axis("used") - 1) * page + c.input("last").integer_at(0) + 1;
  keys.key = [&](std::int64_t j) { return k.row(table.integer(j / page), j % page); };
  keys.value = [&](std::int64_t j) { return v.row(table.integer(j / page), j % page); };
  keys.scale = 1 / std::sqrt(static_cast<double>(c.axis("d")));
  for (std::int64_t h = 0; h < c.axis("heads"); ++h)
    o.set_row(gate::attention(c, q.row(h), keys), h);
}

}  // namespace
