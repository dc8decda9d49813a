// Philox against the vectors published with it, and the draws made of it.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/random.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace gate {
namespace {

using Block = std::array<std::uint32_t, 4>;

// Random123 1.x, tests/kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, AgreesWithThePublishedVectors) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32_10({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Seeds and input digests hang on this mapping: a change breaks every committed seed.
TEST(RandomStream, IsPhiloxOverPositionAndLane) {
  RandomStream stream(0x0123456789abcdef, 0xfedcba9876543210);
  for (std::uint32_t position = 0; position < 3; ++position) {
    const Block block =
        philox4x32_10({position, 0, 0x76543210, 0xfedcba98}, {0x89abcdef, 0x01234567});
    for (const std::uint32_t word : block) EXPECT_EQ(stream.next_u32(), word);
  }
  RandomStream zero(0, 0);
  EXPECT_EQ(zero.next_u64(), 0xe169c58d6627e8d5u);
}

TEST(RandomStream, LanesAndKeysAreIndependent) {
  std::set<std::uint64_t> first_draws;
  for (std::uint64_t number = 0; number < 100; ++number) {
    first_draws.insert(RandomStream(number, 1000).next_u64());
    first_draws.insert(RandomStream(1000, number).next_u64());
    first_draws.insert(RandomStream(number << 32, 1000ull << 32).next_u64());
  }
  EXPECT_EQ(first_draws.size(), 300u);
}

TEST(RandomStream, BelowStaysInRangeAndReachesEverything) {
  RandomStream stream(1, 2);
  std::map<std::uint64_t, int> counts;
  constexpr int draws = 60'000;
  for (int draw = 0; draw < draws; ++draw) ++counts[stream.below(6)];
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_LT(counts.rbegin()->first, 6u);
  // Deterministic: a fixed key, so this is a fact about it and not a flaky statistic.
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, draws / 6, 500) << value;
  EXPECT_EQ(stream.below(1), 0u);
}

TEST(RandomStream, BelowHasNoModuloBias) {
  // With bound 3 * 2^62 a plain remainder would yield the low third twice as often.
  RandomStream stream(3, 4);
  constexpr std::uint64_t third = 1ull << 62;
  int low = 0;
  constexpr int draws = 30'000;
  for (int draw = 0; draw < draws; ++draw) low += stream.below(3 * third) < third ? 1 : 0;
  EXPECT_NEAR(low, draws / 3, 400);
}

TEST(RandomStream, BetweenIncludesBothEnds) {
  RandomStream stream(5, 6);
  std::set<std::int64_t> seen;
  for (int draw = 0; draw < 1000; ++draw) seen.insert(stream.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(stream.between(7, 7), 7);
  int negative = 0;
  for (int draw = 0; draw < 1000; ++draw) negative += stream.between(INT64_MIN, INT64_MAX) < 0;
  EXPECT_NEAR(negative, 500, 100);
}

TEST(RandomStream, UnitIsBelowOneWith53Bits) {
  RandomStream stream(7, 8);
  double sum = 0, largest = 0;
  bool uses_last_bit = false;
  for (int draw = 0; draw < 10'000; ++draw) {
    const double value = stream.unit();
    ASSERT_GE(value, 0);
    sum += value;
    largest = value > largest ? value : largest;
    const double scaled = value * 0x1p52;
    uses_last_bit = uses_last_bit || scaled != static_cast<double>(static_cast<long long>(scaled));
  }
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 0.99);
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
  EXPECT_TRUE(uses_last_bit);
}

TEST(RandomStream, RefusesEmptyRanges) {
  RandomStream stream(0, 0);
  EXPECT_EXIT(stream.below(0), testing::ExitedWithCode(70), "not empty");
  EXPECT_EXIT(stream.between(1, 0), testing::ExitedWithCode(70), "not empty");
}

TEST(Mix, DependsOnBothValuesAndTheirOrder) {
  std::set<std::uint64_t> keys;
  for (std::uint64_t a = 0; a < 30; ++a) {
    for (std::uint64_t b = 0; b < 30; ++b) keys.insert(mix(a, b));
  }
  EXPECT_EQ(keys.size(), 900u);
  EXPECT_NE(mix(1ull << 32, 0), mix(0, 1ull << 32));
  EXPECT_EQ(mix(3, 4), mix(3, 4));
}

}  // namespace
}  // namespace gate
