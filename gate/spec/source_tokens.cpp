// A small tokenizer for C++ and Python.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/source_tokens.h"

#include <algorithm>
#include <cctype>

namespace gate {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return starts_name(c) || is_digit(c); }

class Tokenizer {
 public:
  Tokenizer(std::string_view source, bool python) : source_(source), python_(python) {}

  std::vector<SourceToken> run() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void advance() {
    if (source_[at_] == '\n') ++line_;
    ++at_;
  }

  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n') ++at_;
  }

  void skip_block_comment() {
    while (at_ < source_.size() && !(peek() == '*' && peek(1) == '/')) advance();
    at_ = std::min(at_ + 2, source_.size());
  }

  void skip_string(char quote) {
    const bool triple = python_ && peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    while (at_ < source_.size()) {
      if (peek() == '\\') {
        advance();
        if (at_ < source_.size()) advance();
      } else if (triple && peek() == quote && peek(1) == quote && peek(2) == quote) {
        at_ += 3;
        return;
      } else if (!triple && (peek() == quote || peek() == '\n')) {
        if (peek() == quote) ++at_;
        return;
      } else {
        advance();
      }
    }
  }

  void take_number() {
    const std::size_t begin = at_;
    bool real = false;
    const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    while (at_ < source_.size()) {
      const char c = peek();
      const bool separator = c == '\'' && std::isalnum(static_cast<unsigned char>(peek(1)));
      const bool exponent = !hex && (c == 'e' || c == 'E');
      if (c == '.' || exponent) {
        real = true;
        if (exponent && (peek(1) == '+' || peek(1) == '-')) ++at_;
      } else if (!in_name(c) && !separator) {
        break;
      }
      ++at_;
    }
    if (!real) push(SourceToken::What::integer, begin);
  }

  void push(SourceToken::What what, std::size_t begin) {
    tokens_.push_back(SourceToken{what, source_.substr(begin, at_ - begin), line_});
  }

  void step() {
    const char c = peek();
    const std::size_t begin = at_;
    if (std::isspace(static_cast<unsigned char>(c))) {
      advance();
    } else if (python_ && c == '#') {
      skip_line();
    } else if (!python_ && c == '/' && peek(1) == '/') {
      skip_line();
    } else if (!python_ && c == '/' && peek(1) == '*') {
      at_ += 2;
      skip_block_comment();
    } else if (c == '"' || c == '\'') {
      skip_string(c);
    } else if (starts_name(c)) {
      while (at_ < source_.size() && in_name(peek())) ++at_;
      push(SourceToken::What::name, begin);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      take_number();
    } else {
      ++at_;
      push(SourceToken::What::sign, begin);
    }
  }

  std::string_view source_;
  bool python_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<SourceToken> tokens_;
};

}  // namespace

std::vector<SourceToken> source_tokens(std::string_view source, bool python) {
  return Tokenizer(source, python).run();
}

std::optional<std::int64_t> integer_value(std::string_view token) {
  std::uint64_t base = 10;
  if (token.size() > 2 && token[0] == '0' && (token[1] == 'x' || token[1] == 'X')) {
    base = 16;
    token.remove_prefix(2);
  } else if (token.size() > 2 && token[0] == '0' && (token[1] == 'b' || token[1] == 'B')) {
    base = 2;
    token.remove_prefix(2);
  } else if (token.size() > 1 && token[0] == '0') {
    base = 8;
  }
  while (!token.empty() && std::string_view("uUlLzZ").find(token.back()) != token.npos) {
    token.remove_suffix(1);
  }
  if (token.empty()) return std::nullopt;
  constexpr std::uint64_t largest = 1ull << 62;
  std::uint64_t value = 0;
  for (const char c : token) {
    if (c == '\'' || c == '_') continue;
    const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::uint64_t digit = is_digit(c) ? static_cast<std::uint64_t>(c - '0')
                                : lower >= 'a' && lower <= 'f'
                                    ? static_cast<std::uint64_t>(lower - 'a' + 10)
                                    : base;
    if (digit >= base || value > (largest - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace gate
