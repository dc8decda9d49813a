// Profiles that carry NaN or infinities: few of them, at telling places, in normal data.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// First, last or any element, so that both ends of a tensor and every lane are met.
std::size_t telling_place(RandomStream& stream, std::size_t count) {
  const std::uint64_t choice = stream.below(4);
  return choice == 0 ? 0 : choice == 1 ? count - 1 : stream.below(count);
}

std::size_t few(RandomStream& stream, std::size_t count) {
  return 1 + stream.below(std::clamp<std::size_t>(count / 64, 1, 4));
}

}  // namespace

std::vector<double> fill_neg_inf_holes(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  RandomStream& stream = request.stream;
  if (values.empty()) return values;
  const std::int64_t leading_row = stream.between(0, request.rows - 1);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    double* first = &values[static_cast<std::size_t>(row * request.cols)];
    const std::uint64_t mode = row == leading_row ? stream.below(3) : stream.below(8);
    const std::int64_t length = stream.between(1, std::max<std::int64_t>(1, request.cols / 2));
    for (std::int64_t col = 0; col < request.cols; ++col) {
      const bool scattered = draw_chance(stream, 30);
      const bool hole = mode == 0   ? col < length  // leading block
                        : mode == 1 ? col == 0      // the very first
                        : mode == 2 ? scattered || col == 0
                        : mode == 3 ? scattered
                        : mode == 4 ? col >= request.cols - length  // trailing block
                                    : mode == 5;                    // the whole row
      if (hole) first[col] = -infinity;
    }
  }
  return values;
}

std::vector<double> fill_nan(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  if (values.empty()) return values;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = few(request.stream, values.size()); i > 0; --i)
    values[telling_place(request.stream, values.size())] =
        draw_chance(request.stream, 50) ? -nan : nan;
  return values;
}

std::vector<double> fill_inf(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  if (values.empty()) return values;
  RandomStream& stream = request.stream;
  const bool negative = draw_chance(stream, 50);
  if (request.rows > 1 && draw_chance(stream, 50)) {
    // A whole row: the identity of a minimum or maximum never beats it.
    const std::int64_t row = stream.between(0, request.rows - 1);
    std::fill_n(values.begin() + row * request.cols, request.cols, negative ? -infinity : infinity);
    return values;
  }
  for (std::size_t i = few(stream, values.size()); i > 0; --i)
    values[telling_place(stream, values.size())] =
        (draw_chance(stream, 25) ? !negative : negative) ? -infinity : infinity;
  return values;
}

}  // namespace gate
