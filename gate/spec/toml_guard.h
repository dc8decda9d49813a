// What TOML++ 3.3 does not survive, refused before it reads the text: its assertions on table
// headers without a name and on brackets that close another kind (the reader survives those, but
// here they get their place), its undefined behaviour on characters that may be Unicode blanks, and
// tables nested by dotted keys until destroying them overflows the stack.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "gate/base/result.h"

namespace gate {

/// Largest TOML text we read; seeds with embedded tensors stay far below.
inline constexpr std::size_t toml_bytes_max = 1u << 20;
/// Dots outside of strings, in one file; every float has one.
inline constexpr std::size_t toml_dots_max = 4000;

Result<Done> check_toml(std::string_view text, const std::filesystem::path& file);

}  // namespace gate
