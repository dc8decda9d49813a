// Value profiles: named, versioned generators of tensor contents (oracle.md's domains).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/tensor/tensor.h"

namespace gate {

struct ProfileFacts {
  std::string_view name;       // "normal"
  int version;                 // in seeds: "normal@1"
  bool floats, integers;       // dtypes it applies to
  bool special;                // carries NaN or infinities: property `special`
  bool exact;                  // small integers, impulses: sums are exact in any order
  std::string_view purpose;    // what it finds
};
const std::vector<ProfileFacts>& all_profiles();
const ProfileFacts* find_profile(std::string_view name_with_or_without_version);

}  // namespace gate
