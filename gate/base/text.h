// Text in and out: splitting, hex, UTF-8 and terminal hygiene, zlib and base64url for tokens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate {

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// "0x" and 16 lower-case digits.
std::string hex64(std::uint64_t value);
/// Accepts 1 to 16 hex digits with or without 0x; nothing else.
std::optional<std::uint64_t> parse_hex64(std::string_view text);
/// Decimal, whole text, optional leading minus.
std::optional<std::int64_t> parse_integer(std::string_view text);
/// Shortest decimal text that reads back to the same double; nan, inf, -inf by name.
std::string number_text(double value);
std::optional<double> parse_number(std::string_view text);

/// Valid UTF-8 without control (newline and tab kept), bidi and noncharacters; bad bytes become
/// U+FFFD; cut to `bytes_max` at a character boundary with "…" appended.
std::string clean_text(std::string_view text, std::size_t bytes_max);
/// The candidate closest to `word` by edit distance, if it is close enough to be a typo.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);
/// * and ? as in a shell; a leading '!' is not special here.
bool matches_glob(std::string_view text, std::string_view pattern);

std::string base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);
std::string deflate(std::string_view bytes);
/// Nothing for damaged data or a result above `bytes_max`.
std::optional<std::string> inflate(std::string_view bytes, std::size_t bytes_max);

}  // namespace gate
