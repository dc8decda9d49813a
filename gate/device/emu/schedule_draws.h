// Draws of a shuffled schedule: many and small, so they come from a generator of a few
// instructions (SplitMix64: Steele, Lea and Flood, OOPSLA 2014), four to a word. Inputs keep
// Philox. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gate {

class ScheduleDraws {
 public:
  explicit ScheduleDraws(std::uint64_t key) : state_(key) {}

  /// Below `bound`, which is at most 65,536; as even as 16 bits allow.
  unsigned below(unsigned bound) { return piece() * bound >> 16; }
  /// A bit's number, 0 … 31.
  unsigned bit() { return piece() & 31; }
  /// Below `bound`, which is at most 2^32; as even as 32 bits allow.
  std::uint64_t wide_below(std::uint64_t bound) { return (word() >> 32) * bound >> 32; }

 private:
  unsigned piece() {
    if (left_ == 0) {
      bits_ = word();
      left_ = 4;
    }
    --left_;
    const auto low = static_cast<unsigned>(bits_ & 0xFFFF);
    bits_ >>= 16;
    return low;
  }

  std::uint64_t word() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

}  // namespace gate
