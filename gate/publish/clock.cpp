// The machine's clock.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/clock.h"

#include <chrono>
#include <thread>

namespace gate {

Clock system_clock() {
  using std::chrono::duration_cast;
  return {
      [] {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<std::int64_t>(duration_cast<std::chrono::milliseconds>(now).count());
      },
      [] {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        return static_cast<std::int64_t>(duration_cast<std::chrono::seconds>(now).count());
      },
      [](std::int64_t milliseconds) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      },
  };
}

}  // namespace gate
