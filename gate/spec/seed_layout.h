// What reader and writer of seed files share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gate {

inline constexpr std::int64_t seed_version = 1;
/// Larger tensors are left out: the case rebuilds them.
inline constexpr std::size_t embedded_bytes_max = 4096;

/// "normal@1", "constant@1(0x3f800000)": no blanks, quotes or square brackets.
bool is_profile_text(std::string_view text);

}  // namespace gate
