// Reading the dependency files compilers write (make syntax).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate {

/// The prerequisites of all rules, in order, without duplicates. Backslash-newline joins lines;
/// "\ " is a space, "\#" a hash and "$$" a dollar in a name.
std::vector<std::string> parse_depfile(std::string_view text);

}  // namespace gate
