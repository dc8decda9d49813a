// Tokens of preprocessed CUDA C++: what the translator reads. Regions of system headers and of
// the emulation headers yield no tokens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

enum class TokenKind { word, number, text, mark };

struct Token {
  TokenKind kind = TokenKind::mark;
  std::string_view text;  // into the source; marks are single characters
  std::size_t begin = 0;
  int line = 0;      // in its file
  int file = 0;      // index into TokenList::files
  int partner = -1;  // of ( [ { and ) ] }: the matching one; -1 elsewhere

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view what) const { return text == what; }
};

struct TokenList {
  std::vector<Token> tokens;
  std::vector<std::string> files;
};

/// `source` must outlive the result.
TokenList tokenize(std::string_view source);

}  // namespace gate
