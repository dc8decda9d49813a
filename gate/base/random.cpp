// Philox 4x32-10 and the draws made of it. Integers only, so that every machine agrees.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/random.h"

#include "gate/base/check.h"

namespace gate {

namespace {

// Constants of the paper: multipliers, and Weyl increments (golden ratio, sqrt(3) - 1).
constexpr std::uint64_t multiplier_0 = 0xD2511F53;
constexpr std::uint64_t multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9;
constexpr std::uint32_t weyl_1 = 0xBB67AE85;
constexpr int rounds = 10;

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {high(product_1) ^ counter[1] ^ key[0], low(product_1),
               high(product_0) ^ counter[3] ^ key[1], low(product_0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::uint32_t RandomStream::next_u32() {
  if (used_ == 4) {
    block_ = philox4x32_10({low(position_), high(position_), low(lane_), high(lane_)},
                           {low(key_), high(key_)});
    ++position_;
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

std::uint64_t RandomStream::next_u64() {
  const std::uint64_t first = next_u32();
  return first | static_cast<std::uint64_t>(next_u32()) << 32;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  check(bound > 0, "a range of draws is not empty");
  // The lowest 2^64 mod bound values are refused, so that every remainder is equally likely.
  const std::uint64_t refused = (0 - bound) % bound;
  std::uint64_t draw = next_u64();
  while (draw < refused) draw = next_u64();
  return draw % bound;
}

std::int64_t RandomStream::between(std::int64_t low_end, std::int64_t high_end) {
  check(low_end <= high_end, "a range of draws is not empty");
  const std::uint64_t start = static_cast<std::uint64_t>(low_end);
  const std::uint64_t width = static_cast<std::uint64_t>(high_end) - start;
  const std::uint64_t draw = width == UINT64_MAX ? next_u64() : below(width + 1);
  return static_cast<std::int64_t>(start + draw);
}

double RandomStream::unit() {
  constexpr double step = 0x1p-53;
  return static_cast<double>(next_u64() >> 11) * step;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto block = philox4x32_10({low(a), high(a), 0x6D697865, 0}, {low(b), high(b)});
  return block[0] | static_cast<std::uint64_t>(block[1]) << 32;
}

}  // namespace gate
