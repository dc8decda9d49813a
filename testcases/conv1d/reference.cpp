// Valid cross-correlation over one axis, stride 1.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto w = c.input("w");
  const auto y = c.output("y");
  const std::int64_t channels = c.axis("in_channels"), width = c.axis("width");
  std::vector<S> window(static_cast<std::size_t>(channels * width)), weights(window.size());
  for (std::int64_t o = 0; o < c.axis("out_channels"); ++o) {
    for (std::int64_t p = 0; p <= c.axis("length") - width; ++p) {
      for (std::int64_t k = 0; k < channels * width; ++k) {
        window[static_cast<std::size_t>(k)] = x(k / width, p + k % width);
        weights[static_cast<std::size_t>(k)] = w(o, k / width, k % width);
      }
      y(o, p) = gate::dot(c, window, weights);
    }
  }
}

}  // namespace
