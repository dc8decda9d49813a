// Tiled attention whose accumulator is not rescaled when the running maximum rises.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void model(const gate::Context<S>& c) {
  const auto q = c.input("q");
  const auto k = c.input("k");
  const auto v = c.input("v");
  const auto o = c.output("o");
  const std::int64_t n = c.axis("n"), d = c.axis("d");
  std::int64_t tile = 8;
  while (tile < std::min<std::int64_t>(n, 32)) tile *= 2;
  std::vector<S> scores(static_cast<std::size_t>(tile));
  for (std::int64_t i = 0; i < c.axis("m"); ++i) {
    std::vector<S> out(static_cast<std::size_t>(d), 0);
    S top = -gate::infinity, sum = 0;
    for (std::int64_t first = 0; first < n; first += tile) {
      const std::int64_t keys = std::min(tile, n - first);
      S tile_top = top;
      for (std::int64_t j = 0; j < keys; ++j) {
        S& score = scores[static_cast<std::size_t>(j)];
        score = gate::dot(c, q.row(i), k.row(first + j)) / std::sqrt(static_cast<double>(d));
        if (score > tile_top) tile_top = score;
      }
      sum *= std::exp(top - tile_top);  // and the accumulator is left as it was
      for (std::int64_t j = 0; j < keys; ++j) {
        const S weight = std::exp(scores[static_cast<std::size_t>(j)] - tile_top);
        sum += weight;
        for (std::int64_t e = 0; e < d; ++e) {
          out[static_cast<std::size_t>(e)] += weight * v(first + j, e);
        }
      }
      top = tile_top;
    }
    for (std::int64_t e = 0; e < d; ++e) o(i, e) = out[static_cast<std::size_t>(e)] / sum;
  }
}

}  // namespace
