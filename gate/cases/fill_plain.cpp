// Profiles whose elements are drawn alike: normal, scaled, offset, uniform, heavy tails.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

template <class Draw>
std::vector<double> each(FillRequest& request, Draw draw) {
  std::vector<double> values(static_cast<std::size_t>(request.elements()));
  for (double& value : values) value = draw(request.stream);
  return values;
}

}  // namespace

std::vector<double> fill_normal(FillRequest& request) { return each(request, draw_normal); }

std::vector<double> fill_uniform01(FillRequest& request) { return each(request, draw_uniform); }

std::vector<double> fill_uniform10(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_uniform(s) * 20.0 - 10.0; });
}

std::vector<double> fill_tiny(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) * 1e-3; });
}

std::vector<double> fill_scale_small(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) * 1e-2; });
}

std::vector<double> fill_scale_large(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) * 10.0; });
}

std::vector<double> fill_scale_100(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) * 100.0; });
}

std::vector<double> fill_offset10(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) + 10.0; });
}

std::vector<double> fill_offset100(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) + 100.0; });
}

std::vector<double> fill_offset1000(FillRequest& request) {
  return each(request, [](RandomStream& s) { return draw_normal(s) + 1000.0; });
}

std::vector<double> fill_heavy(FillRequest& request) {
  return each(request, [](RandomStream& s) {
    const double magnitude = exponential(2.0 * draw_normal(s));
    return draw_chance(s, 50) ? -magnitude : magnitude;
  });
}

std::vector<double> fill_negative(FillRequest& request) {
  return each(request, [](RandomStream& s) {
    const double value = draw_normal(s);
    return value < 0 ? value - 1e-3 : -value - 1e-3;
  });
}

std::vector<double> fill_small_integers(FillRequest& request) {
  return each(request, [](RandomStream& s) { return static_cast<double>(draw_below(s, 5)) - 2.0; });
}

std::vector<double> fill_ties(FillRequest& request) {
  // Multiples of 1/2 within two sigma: the extremum of a row is nearly always met twice.
  return each(request, [](RandomStream& s) {
    const double doubled = draw_normal(s) * 2.0;
    const auto steps = static_cast<int>(doubled < 0 ? doubled - 0.5 : doubled + 0.5);
    return 0.5 * (steps < -4 ? -4 : steps > 4 ? 4 : steps);
  });
}

std::vector<double> fill_signed_zeros(FillRequest& request) {
  return each(request, [](RandomStream& s) {
    const std::uint32_t choice = draw_below(s, 4);
    return choice == 0 ? 0.0 : choice == 1 ? -0.0 : draw_normal(s);
  });
}

std::vector<double> fill_saturating(FillRequest& request) {
  // Where exp, sigmoid, tanh and erf reach their limits in f16, f32 and beyond.
  constexpr double levels[] = {4, 8, 10, 12, 17, 20, 44, 88, 89, 104, 200, 1000};
  return each(request, [&](RandomStream& s) {
    const double magnitude = levels[draw_below(s, 12)] * (1.0 + 0.05 * draw_uniform(s));
    return draw_chance(s, 50) ? -magnitude : magnitude;
  });
}

std::vector<double> fill_denormal(FillRequest& request) {
  const DTypeFacts& dtype = facts(request.dtype);
  const std::uint64_t codes = 1ull << (dtype.mantissa_bits < 50 ? dtype.mantissa_bits : 50);
  return each(request, [&](RandomStream& s) {
    const double value = static_cast<double>(s.below(codes)) * dtype.subnormal_min;
    return draw_chance(s, 50) ? -value : value;
  });
}

std::vector<double> fill_huge_magnitude(FillRequest& request) {
  return each(request, [&](RandomStream& s) {
    const double magnitude = request.largest * (1.0 - 0.5 * draw_uniform(s));
    return draw_chance(s, 50) ? -magnitude : magnitude;
  });
}

}  // namespace gate
