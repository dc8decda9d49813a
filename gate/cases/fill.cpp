// Applies a row of the profile table and holds its results inside the legal values.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/fill.h"

#include <algorithm>
#include <numeric>

namespace gate {
namespace {

bool is_finite(double value) { return value - value == 0.0; }

/// A permutation of the range's first values, per row: Fisher-Yates.
void permute(std::vector<std::int64_t>& values, FillRequest& request) {
  for (std::int64_t row = 0; row < request.rows; ++row) {
    const auto first = values.begin() + row * request.cols;
    std::iota(first, first + request.cols, request.range.low);
    for (std::int64_t i = request.cols - 1; i > 0; --i)
      std::swap(first[i], first[request.stream.between(0, i)]);
  }
}

}  // namespace

std::vector<double> fill_floats(const ProfileRow& row, FillRequest request) {
  check(row.floats != nullptr, "a float tensor gets a float profile");
  std::vector<double> values = row.floats(request);
  if (row.study) return values;  // as published, overflow of narrow dtypes included
  for (double& value : values)
    if (is_finite(value)) value = std::clamp(value, -request.largest, request.largest);
  return values;
}

std::vector<std::int64_t> fill_integers(const ProfileRow& row, FillRequest request) {
  check(row.integers != nullptr, "an integer tensor gets an integer profile");
  std::vector<std::int64_t> values = row.integers(request);
  if (request.range.kind == "permutation") {
    // Only the identity is another permutation than a drawn one.
    if (row.facts.name != "ramp") permute(values, request);
  } else if (request.range.kind == "sorted") {
    for (std::int64_t r = 0; r < request.rows; ++r) {
      const auto first = values.begin() + r * request.cols;
      std::sort(first, first + request.cols);
    }
  } else {
    for (auto& value : values) value = std::clamp(value, request.range.low, request.range.high);
  }
  return values;
}

}  // namespace gate
