// Tokens of C++ or Python text, good enough for finding constants: no preprocessor, no errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gate {

struct SourceToken {
  enum class What { name, integer, sign };
  What what = What::sign;
  std::string_view text;
  int line = 1;
};

/// Names, integers (with suffixes and separators) and single signs; comments, strings, characters
/// and floating point numbers are left out. `python`: # starts a comment.
std::vector<SourceToken> source_tokens(std::string_view source, bool python);
/// Value of an integer token: decimal, hex, octal or binary; nothing beyond 2^62.
std::optional<std::int64_t> integer_value(std::string_view token);

}  // namespace gate
