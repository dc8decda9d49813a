// Profiles over the whole tensor: constants, impulses, zeros, pairs, few values, boundaries.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/text.h"
#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

std::vector<double> sized(const FillRequest& request) {
  return std::vector<double>(static_cast<std::size_t>(request.elements()));
}

double constant_of(FillRequest& request) {
  if (const auto bits = parse_hex64(request.parameter)) {
    std::byte element[8] = {};
    store_bits(request.dtype, *bits, element);
    return load(request.dtype, element);
  }
  constexpr double simple[] = {1.0, -1.0, 0.5, 2.0, 3.0, -0.75};
  const std::uint32_t choice = draw_below(request.stream, 8);
  return choice < 6 ? simple[choice] : draw_normal(request.stream);
}

}  // namespace

std::vector<double> fill_constant(FillRequest& request) {
  const double value = constant_of(request);
  return std::vector<double>(static_cast<std::size_t>(request.elements()), value);
}

std::vector<double> fill_zeros(FillRequest& request) { return sized(request); }

std::vector<double> fill_impulse(FillRequest& request) {
  std::vector<double> values = sized(request);
  if (values.empty()) return values;
  const auto given = parse_integer(request.parameter);
  const std::uint64_t drawn = request.stream.below(values.size());
  const auto at = given ? static_cast<std::uint64_t>(*given) : drawn;
  constexpr double heights[] = {1.0, -1.0, 2.0, 0.5};
  values[at % values.size()] = heights[draw_below(request.stream, 4)];
  return values;
}

std::vector<double> fill_cancelling(FillRequest& request) {
  std::vector<double> values = sized(request);
  RandomStream& stream = request.stream;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const double value = draw_normal(stream) * 8.0;
    values[i] = value;
    if (i + 1 < values.size()) values[i + 1] = -value + draw_normal(stream) * 0x1p-7;
  }
  return values;
}

std::vector<double> fill_few_distinct(FillRequest& request) {
  const auto given = parse_integer(request.parameter);
  const std::int64_t count = given ? *given : request.stream.between(2, 5);
  std::vector<double> pool(static_cast<std::size_t>(count));
  for (double& value : pool) value = draw_normal(request.stream);
  std::vector<double> values = sized(request);
  for (double& value : values) value = pool[request.stream.below(pool.size())];
  return values;
}

std::vector<double> fill_zero_blocks(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  if (values.empty()) return values;
  constexpr std::size_t lengths[] = {16, 32, 64, 128};
  const bool by_row = request.rows > 1 && draw_chance(request.stream, 50);
  const std::size_t length =
      by_row ? static_cast<std::size_t>(request.cols) : lengths[draw_below(request.stream, 4)];
  const std::size_t blocks = (values.size() + length - 1) / length;
  const std::size_t always = request.stream.below(blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    if (block != always && !draw_chance(request.stream, 25)) continue;
    for (std::size_t i = block * length; i < (block + 1) * length && i < values.size(); ++i)
      values[i] = 0.0;
  }
  return values;
}

std::vector<double> fill_boundary(FillRequest& request) {
  const DTypeFacts& from = facts(request.dtype);
  const DTypeFacts& to = facts(request.output);
  RandomStream& stream = request.stream;
  std::vector<double> values = sized(request);
  if (to.is_float && to.mantissa_bits < from.mantissa_bits) {
    for (double& value : values) {
      const double near = rounded(request.output, draw_normal(stream) * 4.0);
      const double middle = near + 0.5 * ulp(request.output, near);
      const double nudge = ulp(request.dtype, middle);
      value = middle + nudge * static_cast<double>(stream.between(-1, 1));
    }
    return values;
  }
  // Integer codes: half steps of a scale that block maxima of 127 steps make a power of two.
  const double scale = power_of_two(static_cast<int>(stream.between(-4, 4)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double steps = static_cast<double>(stream.between(-127, 126)) + 0.5;
    const double largest = draw_chance(stream, 50) ? -127.0 : 127.0;
    values[i] = (i % 16 == 0 ? largest : steps) * scale;
  }
  return values;
}

}  // namespace gate
