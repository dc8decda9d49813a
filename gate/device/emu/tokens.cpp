// The tokenizer: line markers, words, numbers, literals (raw ones too), marks with partners.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace gate {

namespace {

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  TokenList read() {
    while (at_ < source_.size()) {
      if (line_begins_ && source_[at_] == '#') {
        directive();
      } else if (!user_) {
        skip_line();
      } else {
        step();
      }
    }
    pair_up();
    return std::move(list_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void skip_line() {
    at_ = std::min(source_.find('\n', at_), source_.size() - 1) + 1;
    ++line_;
    line_begins_ = true;
  }

  /// `# 12 "file" 1 3 4` sets the place; other directives (pragmas) are passed over.
  void directive() {
    const std::size_t end = std::min(source_.find('\n', at_), source_.size());
    std::string_view rest = source_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, source_.size());
    line_begins_ = true;
    const std::size_t digit = rest.find_first_not_of(' ');
    if (digit == std::string_view::npos || !std::isdigit(static_cast<unsigned char>(rest[digit]))) {
      ++line_;
      return;
    }
    rest.remove_prefix(digit);
    std::from_chars(rest.data(), rest.data() + rest.size(), line_);
    const std::size_t open = rest.find('"'), close = rest.rfind('"');
    if (open == std::string_view::npos || close <= open) return;
    const std::string name(rest.substr(open + 1, close - open - 1));
    const std::string_view flags = rest.substr(close + 1);
    const auto found = std::find(list_.files.begin(), list_.files.end(), name);
    file_ = static_cast<int>(found - list_.files.begin());
    if (found == list_.files.end()) {
      // Flag 3 alone also marks what a system macro expands to inside the user's own file.
      const bool entered = flags.find('1') != std::string_view::npos;
      const bool system = flags.find('3') != std::string_view::npos;
      list_.files.push_back(name);
      is_system_.push_back((entered && system) || name.starts_with('<'));
    }
    user_ = !is_system_[static_cast<std::size_t>(file_)];
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      ++line_;
      ++at_;
      line_begins_ = true;
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
      return;
    }
    line_begins_ = false;
    if (begins_word(c)) {
      word();
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      number();
    } else if (c == '"' || c == '\'') {
      literal(at_);
    } else {
      add(TokenKind::mark, at_, at_ + 1);
    }
  }

  void add(TokenKind kind, std::size_t begin, std::size_t end) {
    Token token;
    token.kind = kind;
    token.text = source_.substr(begin, end - begin);
    token.begin = begin;
    token.line = line_;
    token.file = file_;
    list_.tokens.push_back(token);
    line_ += static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
    at_ = end;
  }

  void word() {
    std::size_t end = at_;
    while (end < source_.size() && in_word(source_[end])) ++end;
    const std::string_view text = source_.substr(at_, end - at_);
    const bool prefix = text == "L" || text == "u" || text == "U" || text == "u8";
    const bool raw = text == "R" || text == "LR" || text == "uR" || text == "UR" || text == "u8R";
    const char next = end < source_.size() ? source_[end] : '\0';
    if (raw && next == '"') {
      raw_literal(end);
    } else if (prefix && (next == '"' || next == '\'')) {
      literal(end);
    } else {
      add(TokenKind::word, at_, end);
    }
  }

  void number() {
    std::size_t end = at_ + 1;
    while (end < source_.size()) {
      const char c = source_[end];
      const char before = source_[end - 1];
      const bool sign = (c == '+' || c == '-') &&
                        (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool quote = c == '\'' && end + 1 < source_.size() && in_word(source_[end + 1]);
      if (!in_word(c) && c != '.' && !sign && !quote) break;
      ++end;
    }
    add(TokenKind::number, at_, end);
  }

  void literal(std::size_t open) {
    const char quote = source_[open];
    std::size_t end = open + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') {
      end += source_[end] == '\\' ? 2 : 1;
    }
    add(TokenKind::text, at_, std::min(end + 1, source_.size()));
  }

  void raw_literal(std::size_t open) {
    const std::size_t bracket = source_.find('(', open);
    const std::string closing =
        ")" + std::string(source_.substr(open + 1, bracket - open - 1)) + "\"";
    const std::size_t close = source_.find(closing, bracket);
    const std::size_t end =
        close == std::string_view::npos ? source_.size() : close + closing.size();
    add(TokenKind::text, at_, end);
  }

  void pair_up() {
    std::vector<int> open;
    for (std::size_t i = 0; i < list_.tokens.size(); ++i) {
      Token& token = list_.tokens[i];
      if (token.kind != TokenKind::mark) continue;
      const char c = token.text[0];
      if (c == '(' || c == '[' || c == '{') open.push_back(static_cast<int>(i));
      if ((c != ')' && c != ']' && c != '}') || open.empty()) continue;
      const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (list_.tokens[static_cast<std::size_t>(open.back())].text[0] != wanted) continue;
      token.partner = open.back();
      list_.tokens[static_cast<std::size_t>(open.back())].partner = static_cast<int>(i);
      open.pop_back();
    }
  }

  std::string_view source_;
  TokenList list_;
  std::vector<bool> is_system_;  // by file
  std::size_t at_ = 0;
  int line_ = 1;
  int file_ = 0;
  bool user_ = true;
  bool line_begins_ = true;
};

}  // namespace

TokenList tokenize(std::string_view source) { return Reader(source).read(); }

}  // namespace gate
