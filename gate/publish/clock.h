// Time as the client sees it: tests put in a clock that does not wait.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace gate {

struct Clock {
  std::function<std::int64_t()> milliseconds;  // monotonic
  std::function<std::int64_t()> unix_seconds;  // of the world: rate limits name such times
  std::function<void(std::int64_t)> wait;      // milliseconds
};

Clock system_clock();

}  // namespace gate
