// How long a session waits for a result. Shrinking a kernel that hangs would cost two full
// deadlines per step: once a hang is believed, further ones are given up on sooner, by the measure
// of what did finish. A restarted session waits for the full time again, so that confirming a
// finding does. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace gate {

class Patience {
 public:
  using Time = std::chrono::steady_clock::duration;

  explicit Patience(Time full) : full_(full) {}
  Time time() const {
    if (!hang_seen_) return full_;
    return std::min(full_, std::max<Time>(shortest, longest_ * times_longest));
  }
  void finished(Time time) { longest_ = std::max(longest_, time); }
  void hang_believed() { hang_seen_ = true; }
  void reset() { hang_seen_ = false; }

 private:
  static constexpr auto shortest = std::chrono::milliseconds(500);  // a stalled machine, not less
  static constexpr int times_longest = 50;

  Time full_;
  Time longest_{};
  bool hang_seen_ = false;
};

}  // namespace gate
