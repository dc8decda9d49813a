// Where impulses sit, how many values are distinct, how dense a mask is, which constant.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/cases/fill.h"

namespace gate {
namespace {

std::int64_t elements_of(const ParameterContext& context) {
  const IntegerValues values = complete_values(context.value, *context.space.op);
  std::int64_t count = 1;
  for (const Expression& size : context.tensor.schema->shape)
    count *= size.value(values).value_or(0);
  return std::max<std::int64_t>(count, 1);
}

/// First, last, beside a tile or a power of two, anywhere.
std::string draw_position(const ParameterContext& context, Choices& choices) {
  const std::int64_t count = elements_of(context);
  std::vector<std::int64_t> edges = {0, count - 1};
  std::vector<std::int64_t> tiles = tiles_of(context.space.kernel);
  tiles.insert(tiles.end(), {32, 64, 128, 256});
  for (const std::int64_t tile : tiles)
    for (const std::int64_t edge : {tile - 1, tile, count / tile * tile, count / tile * tile - 1})
      if (edge > 0 && edge < count - 1) edges.push_back(edge);
  const std::int64_t kind = choices.between(0, 3);
  if (kind == 0) return std::to_string(count - 1);
  if (kind == 1) return std::to_string(choices.between(0, count - 1));
  return std::to_string(choices.of(edges));
}

std::string draw_count(const ParameterContext& context, Choices& choices) {
  std::vector<std::int64_t> counts = {1, 2, 31, 64};
  const std::int64_t elements = elements_of(context);
  if (elements <= 4096) counts.push_back(elements);
  if (facts(context.tensor.dtype).is_float) counts = {2, 2, 3, 5, 16};
  return std::to_string(choices.of(counts));
}

std::string draw_constant(const ParameterContext& context, Choices& choices) {
  const DType dtype = context.tensor.dtype;
  if (!facts(dtype).is_float) return {};  // drawn from the domain
  const auto& plain = context.tensor.plain;
  const bool signs = std::find(plain.begin(), plain.end(), "normal") != plain.end();
  std::vector<double> values = {1.0, 0.5, 2.0, 3.0, 0.1};
  if (signs) values.insert(values.end(), {-1.0, -0.75, -3.0, 10.0});
  std::byte element[8] = {};
  store(dtype, choices.of(values), element);
  return fmt::format("{:#x}", load_bits(dtype, element));
}

}  // namespace

std::string draw_parameter(const std::string& profile, const ParameterContext& context,
                           Choices& choices) {
  const ProfileFacts* known = find_profile(profile);
  check(known != nullptr, "drawn profiles are known");
  switch (profile_row(*known).parameter) {
    case ParameterKind::none:
      return {};
    case ParameterKind::bits:
      return draw_constant(context, choices);
    case ParameterKind::position:
      return draw_position(context, choices);
    case ParameterKind::count:
      return draw_count(context, choices);
    case ParameterKind::percent: {
      static const std::vector<std::int64_t> percents = {0, 3, 10, 50, 90, 97, 100};
      return std::to_string(choices.of(percents));
    }
  }
  return {};
}

}  // namespace gate
