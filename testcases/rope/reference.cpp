// Rotary embedding: pairs (i, i + half) turned by angles given as cosine and sine.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto y = c.output("y");
  const auto x = c.input("x");
  const auto cosine = c.input("cosine");
  const auto sine = c.input("sine");
  const std::int64_t half = c.axis("half");
  for (std::int64_t i = 0; i < y.size(); ++i) {
    const std::int64_t cols = 2 * half, r = i / cols, k = i % cols, j = k % half;
    const S first = x(r, j), second = x(r, j + half);
    const S turn_c = cosine(r, j), turn_s = sine(r, j);
    y[i] = k < half ? first * turn_c - second * turn_s : second * turn_c + first * turn_s;
  }
}

}  // namespace
