// Draws from distributions, without libm and without contraction: integers, + - * / and tables.
// Kept apart from the profiles so that the byte-exact part can be read and tested on its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gate/base/random.h"

namespace gate {

/// N(0,1) to about 6.3 sigma on both sides, from one 32-bit draw: the inverse distribution
/// function, linear between 16 knots per octave of the tail probability.
double draw_normal(RandomStream& stream);
/// Uniform in [0, 1) from one 32-bit draw.
double draw_uniform(RandomStream& stream);
/// Below `bound` from one 32-bit draw; for small bounds, where its bias is below 2^-24.
std::uint32_t draw_below(RandomStream& stream, std::uint32_t bound);
/// True in `percent` of 100 draws.
bool draw_chance(RandomStream& stream, std::uint32_t percent);
/// e^x for |x| <= 700, relative error below 1e-13, the same bits on every machine.
double exponential(double x);
/// 2^exponent for -1022 <= exponent <= 1023.
double power_of_two(int exponent);

}  // namespace gate
