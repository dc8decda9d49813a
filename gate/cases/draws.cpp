// Distributions from raw draws; see draws.h for the accuracy of each.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/draws.h"

#include <array>
#include <bit>

#include "gate/base/check.h"
#include "gate/cases/normal_table.h"

namespace gate {
namespace {

// 1/0! to 1/13!
constexpr std::array<double, 14> inverse_factorials = {1.0,
                                                       1.0,
                                                       0.5,
                                                       0.16666666666666666,
                                                       0.041666666666666664,
                                                       0.008333333333333333,
                                                       0.001388888888888889,
                                                       0.0001984126984126984,
                                                       2.48015873015873e-05,
                                                       2.7557319223985893e-06,
                                                       2.755731922398589e-07,
                                                       2.505210838544172e-08,
                                                       2.08767569878681e-09,
                                                       1.6059043836821613e-10};

}  // namespace

double draw_normal(RandomStream& stream) {
  const std::uint32_t draw = stream.next_u32();
  // An odd numerator over 2^33 is never 0 and never 1/2: the tails stay finite, both signs equal.
  const std::uint32_t tail = ((draw & 0x7fffffffu) << 1) | 1u;
  const int octave = 31 - std::countl_zero(tail);
  const std::uint64_t fraction = (static_cast<std::uint64_t>(tail) << (32 - octave)) & 0xffffffffu;
  const auto knot = static_cast<std::size_t>(octave) * 16 + (fraction >> 28);
  const double within = static_cast<double>(fraction & 0x0fffffffu) * (1.0 / 268435456.0);
  const double low = normal_quantiles[knot];
  const double quantile = low + (normal_quantiles[knot + 1] - low) * within;
  return (draw >> 31) != 0 ? -quantile : quantile;
}

double draw_uniform(RandomStream& stream) {
  return static_cast<double>(stream.next_u32()) * (1.0 / 4294967296.0);
}

std::uint32_t draw_below(RandomStream& stream, std::uint32_t bound) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(stream.next_u32()) * bound >> 32);
}

bool draw_chance(RandomStream& stream, std::uint32_t percent) {
  return draw_below(stream, 100) < percent;
}

double power_of_two(int exponent) {
  check(exponent >= -1022 && exponent <= 1023, "powers of two stay normal");
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

double exponential(double x) {
  check(x >= -700 && x <= 700, "exponents stay in range");
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high = 0.693147180369123816490;    // 33 bits: products with small integers
  constexpr double ln2_low = 1.90821492927058770002e-10;  // are exact
  const double scaled = x * log2_e;
  const int exponent = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = (x - exponent * ln2_high) - exponent * ln2_low;
  double sum = inverse_factorials.back();
  for (std::size_t n = inverse_factorials.size() - 1; n-- > 0;)
    sum = sum * r + inverse_factorials[n];
  return sum * power_of_two(exponent);
}

}  // namespace gate
