// Codes times the scale of their row.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/reference.h"

namespace {

template <class S>
void reference(const gate::Context<S>& c) {
  const auto code = c.input("code");
  const auto scale = c.input("scale");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < c.axis("rows"); ++r) {
    for (std::int64_t i = 0; i < c.axis("cols"); ++i) {
      y(r, i) = scale(r) * S(static_cast<double>(code.integer(r, i)));
    }
  }
}

}  // namespace
