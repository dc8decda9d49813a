// Laws of the conversions, for every float dtype.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "gate/tensor/dtype.h"

namespace gate {
namespace {

rc::Gen<DType> float_dtype() {
  return rc::gen::element(DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                          DType::f8e5m2);
}

/// Doubles whose exponents are near the range of the dtype: plain random bits hardly ever are.
double double_near(DType dtype) {
  const int range = (1 << (facts(dtype).exponent_bits - 1)) + facts(dtype).mantissa_bits + 2;
  const int exponent = *rc::gen::inRange(-range, range);
  const auto fraction = *rc::gen::arbitrary<std::uint64_t>() >> 12;
  const double magnitude = std::ldexp(std::bit_cast<double>(1023ull << 52 | fraction), exponent);
  return *rc::gen::arbitrary<bool>() ? -magnitude : magnitude;
}

std::uint64_t encoded(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store(dtype, value, element.data());
  return load_bits(dtype, element.data());
}

RC_GTEST_PROP(DTypeLaws, EncodingUndoesDecoding, ()) {
  const DType dtype = *float_dtype();
  const auto bits = *rc::gen::arbitrary<std::uint64_t>() >> (64 - 8 * facts(dtype).bytes);
  std::array<std::byte, 8> element{};
  store_bits(dtype, bits, element.data());
  const double value = load(dtype, element.data());
  const std::uint64_t again = encoded(dtype, value);
  if (!std::isnan(value)) {
    RC_ASSERT(again == bits);
  } else {
    store_bits(dtype, again, element.data());
    RC_ASSERT(std::isnan(load(dtype, element.data())));
  }
}

RC_GTEST_PROP(DTypeLaws, RoundingIsMonotone, ()) {
  const DType dtype = *float_dtype();
  const double a = double_near(dtype), b = double_near(dtype);
  const double low = rounded(dtype, std::min(a, b)), high = rounded(dtype, std::max(a, b));
  RC_PRE(!std::isnan(low) && !std::isnan(high));
  RC_ASSERT(low <= high);
}

RC_GTEST_PROP(DTypeLaws, RoundingTwiceIsRoundingOnce, ()) {
  const DType dtype = *float_dtype();
  const std::uint64_t once = encoded(dtype, double_near(dtype));
  std::array<std::byte, 8> element{};
  store_bits(dtype, once, element.data());
  RC_ASSERT(encoded(dtype, load(dtype, element.data())) == once);
}

RC_GTEST_PROP(DTypeLaws, RoundingIsSymmetric, ()) {
  const DType dtype = *float_dtype();
  const double value = double_near(dtype);
  const std::uint64_t sign = 1ull << (8 * facts(dtype).bytes - 1);
  RC_ASSERT(encoded(dtype, -value) == (encoded(dtype, value) ^ sign));
}

RC_GTEST_PROP(DTypeLaws, RoundingMovesByHalfAnUlpAtMost, ()) {
  const DType dtype = *float_dtype();
  const double value = double_near(dtype);
  RC_PRE(std::abs(value) <= facts(dtype).largest);
  RC_ASSERT(std::abs(rounded(dtype, value) - value) <= ulp(dtype, value) / 2);
}

RC_GTEST_PROP(DTypeLaws, WideningKeepsEveryValue, ()) {
  // f8e5m2 ⊂ f16 ⊂ f32 ⊂ f64, and bf16 ⊂ f32, f8e4m3 ⊂ bf16.
  using Pair = std::pair<DType, DType>;
  const auto [from, to] = *rc::gen::element(
      Pair{DType::f8e5m2, DType::f16}, Pair{DType::f16, DType::f32}, Pair{DType::f32, DType::f64},
      Pair{DType::bf16, DType::f32}, Pair{DType::f8e4m3, DType::bf16});
  const double value = rounded(from, double_near(from));
  RC_PRE(!std::isnan(value));
  RC_ASSERT(rounded(to, value) == value);
}

RC_GTEST_PROP(DTypeLaws, IntegersComeBackOrClamp, (std::int64_t value)) {
  const DType dtype = *rc::gen::element(DType::i8, DType::u8, DType::i32, DType::i64);
  std::array<std::byte, 8> element{};
  store_integer(dtype, value, element.data());
  const std::int64_t back = load_integer(dtype, element.data());
  const std::size_t bits = 8 * facts(dtype).bytes;
  const bool is_signed = dtype != DType::u8;
  const auto largest = static_cast<std::int64_t>(~0ull >> (64 - bits + (is_signed ? 1 : 0)));
  const std::int64_t least = is_signed ? -largest - 1 : 0;
  RC_ASSERT(back == std::min(std::max(value, least), largest));
}

RC_GTEST_PROP(DTypeLaws, IntegersRoundIntoFloatsAsDoublesDo, ()) {
  const DType dtype = *float_dtype();
  const auto value = *rc::gen::inRange<std::int64_t>(-(1ll << 53), 1ll << 53);  // exact doubles
  std::array<std::byte, 8> element{};
  store_integer(dtype, value, element.data());
  RC_ASSERT(load_bits(dtype, element.data()) == encoded(dtype, static_cast<double>(value)));
}

}  // namespace
}  // namespace gate
