// Profiles with structure along rows: peaks, sinks, offsets per row, rows of different kinds.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

/// First element of a row; null for rows without elements.
double* row_of(std::vector<double>& values, const FillRequest& request, std::int64_t row) {
  return request.cols == 0 ? nullptr : &values[static_cast<std::size_t>(row * request.cols)];
}

double mixed_value(std::uint32_t mode, double level, double noise, double place) {
  switch (mode) {
    case 0:
      return level;  // constant
    case 1:
      return level;  // opposed signs, see the caller
    case 2:
      return noise * 1e-6;  // near zero
    case 3:
      return noise < 0 ? noise - 4.0 : -noise - 4.0;  // negative
    case 4:
      return noise + 8.0 * place;  // rising
    case 5:
      return noise - 8.0 * place;  // falling
    case 6:
      return noise * 16.0;  // wide
    default:
      return noise;
  }
}

}  // namespace

std::vector<double> fill_small_variance(FillRequest& request) {
  // Row norms around the square roots of the usual eps: 1e-5 and 1e-6 for means, 1e-12 for sums.
  constexpr double scales[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-6};
  std::vector<double> values = fill_normal(request);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const double scale = scales[draw_below(request.stream, 6)];
    double* first = row_of(values, request, row);
    for (std::int64_t col = 0; col < request.cols; ++col) first[col] *= scale;
  }
  return values;
}

std::vector<double> fill_peaky(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  for (std::int64_t row = 0; row < request.rows && request.cols > 0; ++row) {
    // Half of the peaks are late: a running maximum has to move after many elements.
    const std::int64_t from = draw_chance(request.stream, 50) ? request.cols * 3 / 4 : 0;
    const std::int64_t at = request.stream.between(from, request.cols - 1);
    row_of(values, request, row)[at] += 10.0 + 30.0 * draw_uniform(request.stream);
  }
  return values;
}

std::vector<double> fill_sink(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  const bool whole_row = request.matrix_rows > 1 && draw_chance(request.stream, 50);
  for (std::int64_t row = 0; row < request.rows && request.cols > 0; ++row) {
    double* first = row_of(values, request, row);
    if (!whole_row) *first += 8.0 + 16.0 * draw_uniform(request.stream);
    if (whole_row && row % request.matrix_rows == 0)
      for (std::int64_t col = 0; col < request.cols; ++col) first[col] *= 8.0;
  }
  return values;
}

std::vector<double> fill_large_logits(FillRequest& request) {
  // Beyond 88.7 exp leaves f32, so a softmax without its maximum subtracted overflows.
  std::vector<double> values = fill_normal(request);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const double magnitude = 90.0 + 110.0 * draw_uniform(request.stream);
    const double base = draw_chance(request.stream, 33) ? -magnitude : magnitude;
    const bool both_signs = draw_chance(request.stream, 33);
    double* first = row_of(values, request, row);
    for (std::int64_t col = 0; col < request.cols; ++col)
      first[col] += both_signs && first[col] < 0 ? -base : base;
  }
  return values;
}

std::vector<double> fill_large_v(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  if (values.empty()) return values;
  const std::int64_t always = request.stream.between(0, request.rows - 1);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    if (row != always && !draw_chance(request.stream, 5)) continue;
    double* first = row_of(values, request, row);
    for (std::int64_t col = 0; col < request.cols; ++col) first[col] *= 1000.0;
  }
  return values;
}

std::vector<double> fill_rows_mixed(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const std::uint32_t mode = draw_below(request.stream, 8);
    const double level = draw_normal(request.stream) * 4.0;
    double* first = row_of(values, request, row);
    for (std::int64_t col = 0; col < request.cols; ++col) {
      const double place = static_cast<double>(col) / static_cast<double>(request.cols);
      const double sided = mode == 1 && col % 2 != 0 ? -level : level;
      first[col] = mixed_value(mode, sided, first[col], place);
    }
  }
  return values;
}

}  // namespace gate
