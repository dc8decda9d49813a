// The sides of a change are compared with each other, so neither may be made of the other's files:
// a base kernel that includes the head's code would fail wherever the head does, and make every bug
// an old one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gate/search/search.h"

namespace gate {

struct SideRoots {
  std::filesystem::path own, other;  // one may stand inside the other; empty: no other side
};

/// The first file of the other side that the target's image is made of, seen through links; empty
/// if there is none. The target is built already.
std::string file_of_other_side(const SideRoots& roots, const Target& target);

}  // namespace gate
