// Valid cross-correlation over two axes, stride 1.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto w = c.input("w");
  const auto y = c.output("y");
  const std::int64_t taps = c.axis("taps"), area = taps * taps;
  const std::int64_t terms = c.axis("in_channels") * area;
  std::vector<S> window(static_cast<std::size_t>(terms)), weights(window.size());
  for (std::int64_t o = 0; o < c.axis("out_channels"); ++o) {
    for (std::int64_t p = 0; p <= c.axis("height") - taps; ++p) {
      for (std::int64_t q = 0; q <= c.axis("width") - taps; ++q) {
        for (std::int64_t k = 0; k < terms; ++k) {
          const std::int64_t channel = k / area, u = k % area / taps, v = k % taps;
          window[static_cast<std::size_t>(k)] = x(channel, p + u, q + v);
          weights[static_cast<std::size_t>(k)] = w(o, channel, u, v);
        }
        y(o, p, q) = gate::dot(c, window, weights);
      }
    }
  }
}

}  // namespace
