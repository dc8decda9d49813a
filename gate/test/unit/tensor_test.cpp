// Element access through views, and poison.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gate {
namespace {

TEST(Tensor, StartsPoisonedEverywhere) {
  for (const DType dtype : all_dtypes()) {
    const Tensor tensor = make_tensor("y", Role::output, dtype, {{2, 3}, {5, 1}, 1});
    EXPECT_EQ(tensor.elements(), 6);
    ASSERT_EQ(tensor.storage.size(), 9 * facts(dtype).bytes);
    for (std::size_t at = 0; at < tensor.storage.size(); at += facts(dtype).bytes) {
      EXPECT_EQ(load_bits(dtype, tensor.storage.data() + at), poison_bits(dtype));
    }
  }
}

TEST(Tensor, WritesItsElementsAndNoGap) {
  Tensor tensor = make_tensor("x", Role::input, DType::f32, {{2, 2}, {3, 1}, 1});
  for (std::int64_t linear = 0; linear < 4; ++linear) tensor.set(linear, 10.0 + linear);
  for (std::int64_t linear = 0; linear < 4; ++linear) EXPECT_EQ(tensor.at(linear), 10.0 + linear);
  const auto word = [&](std::size_t place) {
    return load(DType::f32, tensor.storage.data() + 4 * place);
  };
  EXPECT_EQ(word(1), 10);
  EXPECT_EQ(word(2), 11);
  EXPECT_EQ(word(4), 12);
  EXPECT_EQ(word(5), 13);
  for (const std::size_t gap : {0u, 3u}) {
    EXPECT_EQ(load_bits(DType::f32, tensor.storage.data() + 4 * gap), poison_bits(DType::f32));
  }
}

TEST(Tensor, HasIntegersAndBits) {
  Tensor tensor = make_tensor("i", Role::input, DType::i64, contiguous_view({2}));
  tensor.set_integer(1, (1ll << 60) + 1);
  EXPECT_EQ(tensor.integer_at(1), (1ll << 60) + 1);
  tensor.set_bits(0, 0xFFFF'FFFF'FFFF'FFFE);
  EXPECT_EQ(tensor.integer_at(0), -2);
  EXPECT_EQ(tensor.bits_at(0), 0xFFFF'FFFF'FFFF'FFFE);
}

TEST(Tensor, RefusesElementsOutsideItsStorage) {
  Tensor tensor = make_tensor("x", Role::input, DType::f16, contiguous_view({4}));
  tensor.storage.resize(6);
  EXPECT_EQ(tensor.bits_at(2), poison_bits(DType::f16));
  EXPECT_EXIT(tensor.at(3), testing::ExitedWithCode(70), "inside the storage");
}

TEST(Tensor, MayBeEmpty) {
  const Tensor tensor = make_tensor("x", Role::input, DType::f16, contiguous_view({0, 4}));
  EXPECT_EQ(tensor.elements(), 0);
  EXPECT_TRUE(tensor.storage.empty());
}

TEST(Poison, HasTwoPatternsThatNoValueReplaces) {
  for (const DType dtype : all_dtypes()) {
    const std::uint64_t first = poison_bits(dtype), second = poison_bits(dtype, true);
    EXPECT_NE(first, second) << facts(dtype).name;
    std::array<std::byte, 8> element{};
    for (const std::uint64_t bits : {first, second}) {
      store_bits(dtype, bits, element.data());
      EXPECT_EQ(load_bits(dtype, element.data()), bits) << "fits " << facts(dtype).name;
      if (facts(dtype).is_float) {
        EXPECT_TRUE(std::isnan(load(dtype, element.data()))) << facts(dtype).name;
      }
    }
  }
}

TEST(Poison, IsNotTheNanThatKernelsMake) {
  // CUDA's canonical NaN is 0x7FFFFFFF, x86's default is negative without payload.
  for (const bool second : {false, true}) {
    const std::uint64_t bits = poison_bits(DType::f32, second);
    for (const std::uint64_t made : {0x7FFFFFFFu, 0xFFC00000u, 0x7FC00000u}) EXPECT_NE(bits, made);
    const std::uint64_t half = poison_bits(DType::f16, second);
    for (const std::uint64_t made : {0x7FFFu, 0xFE00u, 0x7E00u}) EXPECT_NE(half, made);
  }
}

TEST(Poison, CanBePutBackWithTheSecondPattern) {
  Tensor tensor = make_tensor("y", Role::output, DType::u8, contiguous_view({3}));
  tensor.set_integer(1, 7);
  poison(tensor, true);
  EXPECT_TRUE(
      std::ranges::all_of(tensor.storage, [](std::byte b) { return b == std::byte{0xA5}; }));
}

}  // namespace
}  // namespace gate
