// Rounding into a dtype: every value, every midpoint and their double neighbours against a
// nearest-neighbour search over the decoded patterns; the hardware for f32; Python for f16.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/tensor/bulk.h"
#include "gate/tensor/dtype.h"

namespace gate {
namespace {

std::uint64_t encoded(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store(dtype, value, element.data());
  return load_bits(dtype, element.data());
}

double decoded(DType dtype, std::uint64_t bits) {
  std::array<std::byte, 8> element{};
  store_bits(dtype, bits, element.data());
  return load(dtype, element.data());
}

/// Magnitudes by pattern number, ascending, and one step beyond the largest: rounding is done as
/// if the exponent had no end, and what lands there overflows.
std::vector<double> magnitudes(DType dtype) {
  std::vector<double> values;
  for (std::uint64_t bits = 0; std::isfinite(decoded(dtype, bits)); ++bits) {
    values.push_back(decoded(dtype, bits));
  }
  values.push_back(2 * values.back() - values[values.size() - 2]);
  return values;
}

/// Number of the nearest magnitude; the even pattern of two equally near.
std::uint64_t nearest_pattern(const std::vector<double>& values, double magnitude) {
  const auto above = std::lower_bound(values.begin(), values.end(), magnitude);
  if (above == values.end()) return values.size() - 1;
  const auto upper = static_cast<std::uint64_t>(above - values.begin());
  if (*above == magnitude) return upper;
  const double down = magnitude - values[upper - 1], up = values[upper] - magnitude;
  if (down != up) return down < up ? upper - 1 : upper;
  return upper % 2 == 0 ? upper : upper - 1;
}

void expect_nearest(DType dtype, const std::vector<double>& values, double magnitude) {
  const std::uint64_t sign = 1ull << (8 * facts(dtype).bytes - 1);
  const std::uint64_t pattern = nearest_pattern(values, magnitude);
  // The pattern after the largest finite one is infinity, or the NaN of e4m3.
  ASSERT_EQ(encoded(dtype, magnitude), pattern) << facts(dtype).name << " " << magnitude;
  ASSERT_EQ(encoded(dtype, -magnitude), pattern | sign) << facts(dtype).name << " " << -magnitude;
}

constexpr std::array<DType, 4> narrow = {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2};

TEST(Encode, EveryValueMidpointAndNeighbourGoesToTheNearest) {
  for (const DType dtype : narrow) {
    const std::vector<double> values = magnitudes(dtype);
    for (std::size_t number = 0; number + 1 < values.size(); ++number) {
      const double middle = (values[number] + values[number + 1]) / 2;
      for (const double centre : {values[number], middle}) {
        expect_nearest(dtype, values, centre);
        expect_nearest(dtype, values, std::nextafter(centre, INFINITY));
        if (centre > 0) expect_nearest(dtype, values, std::nextafter(centre, 0));
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Encode, RandomDoublesGoToTheNearest) {
  RandomStream stream(21, 0);
  for (const DType dtype : narrow) {
    const std::vector<double> values = magnitudes(dtype);
    const double range = facts(dtype).exponent_bits == 8 ? 290 : 45;
    for (int draw = 0; draw < 100'000; ++draw) {
      const double exponent = std::floor((stream.unit() - 0.5) * range);
      expect_nearest(dtype, values, std::ldexp(1 + stream.unit(), static_cast<int>(exponent)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Encode, ManyAtOnceAreWhatEachIsAlone) {
  RandomStream stream(23, 0);
  std::vector<double> values = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 1e308, 1e-320, 65520.0};
  for (int draw = 0; draw < 10'000; ++draw) {
    values.push_back(std::bit_cast<double>(stream.next_u64()));
    const auto exponent = static_cast<int>(stream.between(-30, 20));
    values.push_back(std::ldexp(stream.unit() - 0.5, exponent));
  }
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3}) {
    const std::size_t bytes = facts(dtype).bytes;
    std::vector<std::byte> together(values.size() * bytes);
    store_all(dtype, values, together.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(load_bits(dtype, &together[i * bytes]), encoded(dtype, values[i])) << values[i];
    }
  }
}

TEST(Encode, F32AgreesWithTheHardware) {
  RandomStream stream(22, 0);
  const auto expect_same = [](double value) {
    const auto expected = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    ASSERT_EQ(encoded(DType::f32, value), expected) << value;
    ASSERT_EQ(encoded(DType::f32, -value), expected ^ 0x80000000u) << -value;
  };
  for (int draw = 0; draw < 300'000; ++draw) {
    const float low = std::bit_cast<float>(stream.next_u32() & 0x7FFFFFFFu);
    if (!std::isfinite(low)) continue;
    const double high = std::nextafter(low, INFINITY);
    const double middle = std::isinf(high) ? 0x1.ffffffp127 : (low + high) / 2;
    for (const double value : {static_cast<double>(low), middle, std::nextafter(middle, 0),
                               std::nextafter(middle, INFINITY), low * (1 + stream.unit())}) {
      expect_same(value);
    }
    if (HasFatalFailure()) return;
  }
  for (const double value : {0.0, 5e-324, 1e-310, 0x1p-150, std::nextafter(0x1p-150, 1), 0x1p-149,
                             0x1.8p-149, 0x1.fffffep127, 0x1.ffffffp127, 1e300, HUGE_VAL}) {
    expect_same(value);
  }
}

// python3: h = hashlib.sha256(); for b in range(0x7BFF): m = (val(b) + val(b + 1)) / 2, with
// val = struct.unpack('<e', …); for x in (nextafter(m, 0), m, nextafter(m, inf)):
// h.update(struct.pack('<e', x) + struct.pack('<e', -x))
TEST(Encode, F16AgreesWithPython) {
  Sha256 hash;
  for (std::uint64_t bits = 0; bits < 0x7BFF; ++bits) {
    const double middle = (decoded(DType::f16, bits) + decoded(DType::f16, bits + 1)) / 2;
    for (const double value :
         {std::nextafter(middle, 0), middle, std::nextafter(middle, INFINITY)}) {
      for (const double signed_value : {value, -value}) {
        const auto half = static_cast<std::uint16_t>(encoded(DType::f16, signed_value));
        hash.add(std::as_bytes(std::span(&half, 1)));
      }
    }
  }
  EXPECT_EQ(hash.hex(), "506f7f6c2cdbb40f1fed8dac78875ee54f766615538a560444f5b1be734eb6b0");
}

TEST(Encode, OverflowsAsEachFormatDoes) {
  EXPECT_EQ(encoded(DType::f16, 65519.999), 0x7BFFu);
  EXPECT_EQ(encoded(DType::f16, 65520), 0x7C00u);
  EXPECT_EQ(encoded(DType::bf16, -1e39), 0xFF80u);
  EXPECT_EQ(encoded(DType::f8e4m3, 464), 0x7Eu) << "a tie goes to 448, whose pattern is even";
  EXPECT_EQ(encoded(DType::f8e4m3, std::nextafter(464, 500)), 0x7Fu);
  EXPECT_EQ(encoded(DType::f8e4m3, -INFINITY), 0xFFu);
  EXPECT_EQ(encoded(DType::f8e5m2, 61440), 0x7Cu);
  EXPECT_EQ(encoded(DType::f8e5m2, std::nextafter(61440, 0)), 0x7Bu);
}

TEST(Encode, NansStayNansWithTheirSign) {
  const double minus_nan = std::copysign(NAN, -1);
  for (const DType dtype : narrow) {
    EXPECT_TRUE(std::isnan(rounded(dtype, NAN))) << facts(dtype).name;
    EXPECT_FALSE(std::signbit(rounded(dtype, NAN))) << facts(dtype).name;
    EXPECT_TRUE(std::signbit(rounded(dtype, minus_nan))) << facts(dtype).name;
  }
  EXPECT_EQ(encoded(DType::f16, NAN), 0x7E00u);
  EXPECT_EQ(encoded(DType::f8e4m3, NAN), 0x7Fu);
  const double low_payload = std::bit_cast<double>(0x7FF0000000000001u);
  for (const DType dtype : narrow) EXPECT_TRUE(std::isnan(rounded(dtype, low_payload)));
}

TEST(Ulp, IsTheGapToTheNextMagnitude) {
  for (const DType dtype : narrow) {
    const std::vector<double> values = magnitudes(dtype);
    for (std::size_t number = 0; number + 2 < values.size(); ++number) {
      const double gap = values[number + 1] - values[number];
      ASSERT_EQ(ulp(dtype, values[number]), gap) << facts(dtype).name << " " << number;
      ASSERT_EQ(ulp(dtype, -(values[number] + gap / 3)), gap) << facts(dtype).name << " " << number;
    }
  }
}

TEST(Ulp, HoldsAtTheEnds) {
  EXPECT_EQ(ulp(DType::f64, 1), 0x1p-52);
  EXPECT_EQ(ulp(DType::f64, 0), 0x1p-1074);
  EXPECT_EQ(ulp(DType::f64, 0x1p-1022), 0x1p-1074);
  EXPECT_EQ(ulp(DType::f64, 0x1.8p1023), 0x1p971);
  EXPECT_EQ(ulp(DType::f32, 1e300), ulp(DType::f32, facts(DType::f32).largest));
  EXPECT_EQ(ulp(DType::f16, INFINITY), 32);
  EXPECT_TRUE(std::isnan(ulp(DType::f16, NAN)));
  EXPECT_EQ(ulp(DType::i32, 5), 1);
}

}  // namespace
}  // namespace gate
