// The dtype table, decoding of every narrow pattern against independent sources, and integers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/tensor/bulk.h"

namespace gate {
namespace {

double decoded(DType dtype, std::uint64_t bits) {
  std::array<std::byte, 8> element{};
  store_bits(dtype, bits, element.data());
  return load(dtype, element.data());
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(DTypeTable, AgreesWithNames) {
  EXPECT_EQ(all_dtypes().size(), 11u);
  for (const DType dtype : all_dtypes()) EXPECT_EQ(dtype_named(facts(dtype).name), dtype);
  EXPECT_EQ(dtype_named("bool"), DType::boolean);
  EXPECT_EQ(dtype_named("float"), std::nullopt);
  EXPECT_EQ(facts(DType::bf16).c_name, "__nv_bfloat16");
}

template <class T>
void expect_limits(DType dtype) {
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(facts(dtype).bytes, sizeof(T));
  EXPECT_EQ(facts(dtype).mantissa_bits, Limits::digits - 1);
  EXPECT_EQ(facts(dtype).unit_roundoff, Limits::epsilon() / 2);
  EXPECT_EQ(facts(dtype).largest, Limits::max());
  EXPECT_EQ(facts(dtype).normal_min, Limits::min());
  EXPECT_EQ(facts(dtype).subnormal_min, Limits::denorm_min());
}

TEST(DTypeTable, AgreesWithTheCompiler) {
  expect_limits<double>(DType::f64);
  expect_limits<float>(DType::f32);
  EXPECT_EQ(facts(DType::i8).largest, INT8_MAX);
  EXPECT_EQ(facts(DType::u8).largest, UINT8_MAX);
  EXPECT_EQ(facts(DType::i32).largest, INT32_MAX);
  EXPECT_LT(facts(DType::i64).largest, 0x1p63);
}

TEST(DTypeTable, AgreesWithItself) {
  for (const DType dtype : all_dtypes()) {
    const DTypeFacts& f = facts(dtype);
    if (!f.is_float) continue;
    EXPECT_EQ(1u + static_cast<unsigned>(f.exponent_bits + f.mantissa_bits), 8 * f.bytes) << f.name;
    EXPECT_EQ(f.unit_roundoff, std::ldexp(1, -f.mantissa_bits - 1)) << f.name;
    EXPECT_EQ(f.normal_min, std::ldexp(1, 2 - (1 << (f.exponent_bits - 1)))) << f.name;
    EXPECT_EQ(f.subnormal_min, f.normal_min * std::ldexp(1, -f.mantissa_bits)) << f.name;
    EXPECT_EQ(decoded(dtype, 1), f.subnormal_min) << f.name;
    EXPECT_EQ(rounded(dtype, f.largest), f.largest) << f.name;
  }
}

TEST(Decode, EveryF16AgreesWithTheCompiler) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits));
    ASSERT_TRUE(same(decoded(DType::f16, bits), static_cast<double>(half))) << bits;
  }
}

// python3: h = hashlib.sha256(); for b in range(65536): v = struct.unpack('<e', struct.pack('<H',
// b))[0]; if v == v: h.update(struct.pack('<d', v))
TEST(Decode, EveryF16AgreesWithPython) {
  Sha256 hash;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = decoded(DType::f16, bits);
    if (!std::isnan(value)) hash.add(std::as_bytes(std::span(&value, 1)));
  }
  EXPECT_EQ(hash.hex(), "79fc8fde206ab7db2664c1760bbe8c8b0fc5adf41ce6112ff5bde9f19a6d9b46");
}

TEST(Decode, EveryBf16IsTheUpperHalfOfAFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double expected = std::bit_cast<float>(bits << 16);
    ASSERT_TRUE(same(decoded(DType::bf16, bits), expected)) << bits;
  }
}

// OCP 8-bit floating point specification 1.0, table 1 and 2, written down from scratch.
double ocp_value(unsigned bits, int exponent_bits, bool ieee_specials) {
  const int mantissa_bits = 7 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
  const double sign = bits >= 0x80 ? -1 : 1;
  const bool top = exponent == (1 << exponent_bits) - 1;
  if (ieee_specials && top) return mantissa == 0 ? sign * INFINITY : NAN;
  if (top && mantissa == (1 << mantissa_bits) - 1) return NAN;
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias)
                       : sign * std::ldexp(1 + fraction, exponent - bias);
}

TEST(Decode, ManyAtOnceAreWhatEachIsAlone) {
  for (const DType dtype : {DType::f16, DType::bf16, DType::i32, DType::f32}) {
    const std::size_t bytes = facts(dtype).bytes;
    std::vector<std::byte> elements(65'536 * bytes);
    for (std::size_t i = 0; i < 65'536; ++i) {
      store_bits(dtype, i << (8 * bytes - 16), &elements[i * bytes]);
    }
    const std::vector<double> together = load_all(dtype, elements.data(), 65'536);
    for (std::size_t i = 0; i < 65'536; ++i) {
      const double alone = load(dtype, &elements[i * bytes]);
      ASSERT_EQ(std::bit_cast<std::uint64_t>(together[i]), std::bit_cast<std::uint64_t>(alone))
          << i;
    }
  }
}

TEST(Decode, EveryF8AgreesWithTheSpecification) {
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    EXPECT_TRUE(same(decoded(DType::f8e4m3, bits), ocp_value(bits, 4, false))) << bits;
    EXPECT_TRUE(same(decoded(DType::f8e5m2, bits), ocp_value(bits, 5, true))) << bits;
  }
  EXPECT_EQ(decoded(DType::f8e4m3, 0x7E), 448);
  EXPECT_EQ(decoded(DType::f8e5m2, 0x7B), 57344);
}

TEST(Decode, F32AgreesWithTheHardware) {
  RandomStream stream(11, 0);
  for (int draw = 0; draw < 500'000; ++draw) {
    const std::uint32_t bits = stream.next_u32();
    ASSERT_TRUE(same(decoded(DType::f32, bits), std::bit_cast<float>(bits))) << bits;
  }
  for (const std::uint32_t bits : {0u, 1u, 0x7FFFFFu, 0x800000u, 0x7F7FFFFFu, 0x7F800000u,
                                   0x7F800001u, 0x80000000u, 0x80000001u, 0xFF800000u}) {
    EXPECT_TRUE(same(decoded(DType::f32, bits), std::bit_cast<float>(bits))) << bits;
  }
}

TEST(Integers, SignExtendAndClamp) {
  std::array<std::byte, 8> element{};
  const auto stored = [&](DType dtype, double value) {
    store(dtype, value, element.data());
    return load_integer(dtype, element.data());
  };
  EXPECT_EQ(stored(DType::i8, -2.9), -2);
  EXPECT_EQ(stored(DType::i8, 1000), 127);
  EXPECT_EQ(stored(DType::i8, -1000), -128);
  EXPECT_EQ(stored(DType::u8, -1), 0);
  EXPECT_EQ(stored(DType::u8, 255.9), 255);
  EXPECT_EQ(stored(DType::u8, 256), 255);
  EXPECT_EQ(stored(DType::i32, -1e18), INT32_MIN);
  EXPECT_EQ(stored(DType::i32, -7), -7);
  EXPECT_EQ(stored(DType::i64, 1e300), INT64_MAX);
  EXPECT_EQ(stored(DType::i64, -INFINITY), INT64_MIN);
  EXPECT_EQ(stored(DType::i64, 0x1p62), 1ll << 62);
  for (const DType dtype : {DType::i8, DType::u8, DType::i32, DType::i64, DType::boolean}) {
    EXPECT_EQ(stored(dtype, NAN), 0);
  }
  EXPECT_EQ(stored(DType::boolean, 0.25), 1);
  EXPECT_EQ(stored(DType::boolean, -3), 1);
  EXPECT_EQ(stored(DType::boolean, -0.0), 0);
}

TEST(Integers, KeepAllBitsOfI64) {
  std::array<std::byte, 8> element{};
  for (const std::int64_t value :
       std::initializer_list<std::int64_t>{INT64_MAX, INT64_MIN, (1ll << 53) + 1, -1, 0}) {
    store_integer(DType::i64, value, element.data());
    EXPECT_EQ(load_integer(DType::i64, element.data()), value);
  }
  store_integer(DType::i32, 1ll << 40, element.data());
  EXPECT_EQ(load_integer(DType::i32, element.data()), INT32_MAX);
}

TEST(Integers, RoundOnceIntoFloats) {
  // As a double first, 2^53 * 16777217 + 1 … would be a tie and round down: rounding twice.
  const std::int64_t value = (16777217ll << 30) + 1;  // just above the tie of two floats
  std::array<std::byte, 8> element{};
  store_integer(DType::f32, value, element.data());
  EXPECT_EQ(load(DType::f32, element.data()), std::ldexp(16777218, 30));
  const std::int64_t wide = (1ll << 62) + (1ll << 38) + 1;  // a tie once rounded to double
  store_integer(DType::f32, wide, element.data());
  EXPECT_EQ(load(DType::f32, element.data()), 0x1p62 + 0x1p39);
  store_integer(DType::f64, INT64_MIN, element.data());
  EXPECT_EQ(load(DType::f64, element.data()), -0x1p63);
  store_integer(DType::f16, -100000, element.data());
  EXPECT_EQ(load(DType::f16, element.data()), -INFINITY);
  EXPECT_EQ(load_integer(DType::f16, element.data()), INT64_MIN);
  store_integer(DType::bf16, 0, element.data());
  EXPECT_EQ(load_bits(DType::bf16, element.data()), 0u);
}

TEST(Integers, ABoolShowsAStrangeByte) {
  std::array<std::byte, 8> element{};
  store_bits(DType::boolean, 0x5A, element.data());
  EXPECT_EQ(load_integer(DType::boolean, element.data()), 0x5A);
  EXPECT_EQ(load(DType::boolean, element.data()), 0x5A);
}

TEST(Bits, TouchTheirElementOnly) {
  for (const DType dtype : all_dtypes()) {
    std::array<std::byte, 9> memory{};
    store_bits(dtype, ~0ull, memory.data());
    EXPECT_EQ(memory[facts(dtype).bytes], std::byte{0}) << facts(dtype).name;
    EXPECT_EQ(load_bits(dtype, memory.data()), ~0ull >> (64 - 8 * facts(dtype).bytes));
  }
}

}  // namespace
}  // namespace gate
