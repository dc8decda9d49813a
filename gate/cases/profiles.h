// Value profiles: named, versioned generators of tensor contents (oracle.md's domains).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/spec/op_schema.h"
#include "gate/tensor/tensor.h"

namespace gate {

struct ProfileFacts {
  std::string_view name;     // "normal"
  int version;               // in seeds: "normal@1"
  bool floats, integers;     // dtypes it applies to
  bool special;              // carries NaN or infinities: property `special`
  bool exact;                // small integers, impulses: sums are exact in any order
  std::string_view purpose;  // what it finds
};
const std::vector<ProfileFacts>& all_profiles();
/// Null for an unknown name and for a version that this build does not have.
const ProfileFacts* find_profile(std::string_view name_with_or_without_version);

/// A profile as written in a case: "constant@1(0x3f800000)".
struct ProfileText {
  const ProfileFacts* facts = nullptr;
  std::string parameter;  // without the brackets; empty if absent
};
/// Nothing for bad syntax, an unknown name or version, or a parameter it does not take.
std::optional<ProfileText> parse_profile(std::string_view text);
/// "name@version" or "name@version(parameter)".
std::string profile_text(std::string_view name, std::string_view parameter = {});

/// "normal@1" for floats, "uniform@1" (over the domain) for integers.
std::string default_profile(DType dtype);
/// Profiles the generator draws for an input: the declared ones, else every one that fits.
std::vector<const ProfileFacts*> profiles_of(const TensorSchema& tensor, DType dtype);

}  // namespace gate
