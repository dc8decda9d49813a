// Integer profiles: how values are spread over the legal range, and how they are arranged.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "gate/base/text.h"
#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

using Integers = std::vector<std::int64_t>;

Integers sized(const FillRequest& request, std::int64_t value = 0) {
  return Integers(static_cast<std::size_t>(request.elements()), value);
}

std::int64_t draw(FillRequest& request) {
  return request.stream.between(request.range.low, request.range.high);
}

std::int64_t within(const FillRequest& request, std::int64_t value) {
  return std::clamp(value, request.range.low, request.range.high);
}

/// low + n, without leaving the range; wraps around inside it.
std::int64_t step_in(const IntegerRange& range, std::uint64_t n) {
  const std::uint64_t span =
      static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
  const std::uint64_t steps = span == ~0ull ? n : n % (span + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(range.low) + steps);
}

}  // namespace

Integers fill_integer_uniform(FillRequest& request) {
  Integers values = sized(request);
  for (auto& value : values) value = draw(request);
  return values;
}

Integers fill_integer_few(FillRequest& request) {
  const auto count = parse_integer(request.parameter);
  Integers pool(static_cast<std::size_t>(count ? *count : request.stream.between(1, 4)));
  for (auto& value : pool) value = draw(request);
  Integers values = sized(request);
  for (auto& value : values) value = pool[request.stream.below(pool.size())];
  return values;
}

Integers fill_integer_constant(FillRequest& request) {
  if (const auto bits = parse_hex64(request.parameter)) {
    std::byte element[8] = {};
    store_bits(request.dtype, *bits, element);
    return sized(request, within(request, load_integer(request.dtype, element)));
  }
  return sized(request, draw(request));
}

Integers fill_integer_zeros(FillRequest& request) { return sized(request, within(request, 0)); }

Integers fill_integer_small(FillRequest& request) {
  Integers values = sized(request);
  for (auto& value : values) value = within(request, request.stream.between(-2, 2));
  return values;
}

Integers fill_integer_lowest(FillRequest& request) { return sized(request, request.range.low); }

Integers fill_integer_highest(FillRequest& request) { return sized(request, request.range.high); }

Integers fill_integer_edges(FillRequest& request) {
  Integers values = sized(request);
  for (auto& value : values) {
    const std::uint64_t choice = request.stream.below(5);
    value = choice == 0   ? request.range.low
            : choice == 1 ? request.range.high
                          : within(request, static_cast<std::int64_t>(choice) - 3);
  }
  return values;
}

Integers fill_integer_ramp(FillRequest& request) {
  Integers values = sized(request);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = step_in(request.range, i);
  return values;
}

Integers fill_integer_density(FillRequest& request) {
  const auto percent = parse_integer(request.parameter);
  const auto chance = static_cast<std::uint32_t>(percent ? *percent : request.stream.below(101));
  Integers values = sized(request);
  for (auto& value : values)
    value = draw_chance(request.stream, chance) ? request.range.high : request.range.low;
  return values;
}

}  // namespace gate
