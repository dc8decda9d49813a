// The one random generator of the gate: Philox 4x32-10, counter based, pure integers.
// Source: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace gate {

/// Ten rounds of Philox 4x32 over one counter block.
std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key);

/// A stream of draws addressed by (key, lane): equal on every machine; `at` reads any position.
class RandomStream {
 public:
  RandomStream(std::uint64_t key, std::uint64_t lane) : key_(key), lane_(lane) {}

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  /// Uniform in [0, bound), without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// Uniform in [0, 1), 53 bits.
  double unit();

 private:
  std::uint64_t key_, lane_, position_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

/// Mixes two 64-bit values into a key; used to derive per-test and per-tensor keys.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace gate
