// Addresses: who may see the token, and how foreign words become part of a path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gate {

/// scheme://host[:port] in lower case; nothing for anything but http and https, for user
/// information, spaces and control characters.
std::optional<std::string> origin_of(std::string_view address);
/// Whether `address` is `base` or lies below it ("https://a.b" does not hold "https://a.b.c").
bool is_below(std::string_view address, std::string_view base);
/// Everything but letters, digits and - . _ ~ as %XX: one path part or query value.
std::string percent_encoded(std::string_view text);
/// The path of a file, its slashes kept.
std::string percent_encoded_path(std::string_view path);
/// The target of rel="next" in a Link header.
std::optional<std::string> next_link(std::string_view header);
/// "owner/name" with GitHub's characters.
bool is_repository(std::string_view text);
bool is_commit(std::string_view text);  // 40 or 64 lower-case hex digits

}  // namespace gate
