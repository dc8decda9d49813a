// Filling one input tensor from a profile: a pure function of the request, the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/base/random.h"
#include "gate/cases/profiles.h"

namespace gate {

/// Legal integers of a tensor, both ends included, and how they are arranged.
struct IntegerRange {
  std::string kind = "full";  // range | index | permutation | sorted | few | full | boolean
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// What a fill function reads besides its random stream.
struct FillRequest {
  std::int64_t rows = 1;         // product of all dimensions but the last
  std::int64_t cols = 1;         // the last dimension
  std::int64_t matrix_rows = 1;  // the dimension before it: rows of one matrix
  DType dtype = DType::f32;
  DType output = DType::f32;  // of the op's first output: whose rounding boundaries matter
  double largest = 0;         // legal |x|
  IntegerRange range;         // integer dtypes
  std::string parameter;      // of the profile
  RandomStream stream{0, 0};

  std::int64_t elements() const { return rows * cols; }
};

using FloatFill = std::vector<double> (*)(FillRequest&);
using IntegerFill = std::vector<std::int64_t> (*)(FillRequest&);

/// What a parameter may be: bits of the dtype, a position or count, a percentage.
enum class ParameterKind { none, bits, position, count, percent };

/// One row of the table: facts and functions (null where the profile does not apply).
struct ProfileRow {
  ProfileFacts facts;
  ParameterKind parameter = ParameterKind::none;
  FloatFill floats = nullptr;
  IntegerFill integers = nullptr;
  bool study = false;  // legal for every float input whatever it declares, and beyond its range
};
const std::vector<ProfileRow>& profile_rows();
/// Profiles of the study: by name only, never drawn, not in all_profiles().
const std::vector<ProfileRow>& study_profile_rows();
/// Whether these facts are of such a row.
bool is_study_profile(const ProfileFacts& facts);
const ProfileRow& profile_row(const ProfileFacts& facts);

/// Values in logical order; every finite one within `largest`.
std::vector<double> fill_floats(const ProfileRow& row, FillRequest request);
/// Values in logical order, all within the range.
std::vector<std::int64_t> fill_integers(const ProfileRow& row, FillRequest request);

}  // namespace gate
