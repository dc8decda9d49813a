// Draws of a shuffled schedule: many and small, so four of them share one word of the stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gate/base/random.h"

namespace gate {

class ScheduleDraws {
 public:
  explicit ScheduleDraws(std::uint64_t key) : stream_(key, 0) {}

  /// Below `bound`, which is at most 65,536; as even as 16 bits allow.
  unsigned below(unsigned bound) { return piece() * bound >> 16; }
  /// A bit's number, 0 … 31.
  unsigned bit() { return piece() & 31; }
  std::uint64_t wide_below(std::uint64_t bound) { return stream_.below(bound); }

 private:
  unsigned piece() {
    if (left_ == 0) {
      bits_ = stream_.next_u64();
      left_ = 4;
    }
    --left_;
    const auto low = static_cast<unsigned>(bits_ & 0xFFFF);
    bits_ >>= 16;
    return low;
  }

  RandomStream stream_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

}  // namespace gate
