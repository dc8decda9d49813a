// One pass over the text that knows strings, comments, brackets and line starts. Where the text is
// no TOML the pass may lose its way, but there TOML++ has stopped already.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/toml_guard.h"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <utility>

namespace gate {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// What may start a key.
bool starts_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '"' ||
         c == '\'';
}

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  /// False at what TOML++ does not survive; `problem` and `position` tell.
  bool run() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    bool harmless = true;
    for (; harmless && at_ < text_.size(); ++at_) harmless = step(text_[at_]);
    if (!harmless) --at_;
    return harmless;
  }

  std::size_t dots() const { return dots_; }
  std::size_t position() const { return at_; }
  const std::string& problem() const { return problem_; }

 private:
  char peek(std::size_t at) const { return at < text_.size() ? text_[at] : ']'; }

  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool step(char c) {
    if (c == '\n' && open_.empty()) in_value_ = false;
    if (c == '\n') fresh_line_ = true;
    if (std::isspace(static_cast<unsigned char>(c))) return true;
    const bool fresh = std::exchange(fresh_line_, false);
    if (c == '#') return skip_comment();
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '[' && fresh && open_.empty()) return take_header();
    if (!is_ascii(c))
      return refuse("only ASCII characters are allowed outside of strings and comments");
    if (c == '=') in_value_ = true;
    if (c == '[' || c == '{') return open(c);
    if (c == ']' || c == '}') return close(c);
    if (c == ',') in_value_ = in_array();
    if (c == '.') ++dots_;
    return c == '=' || c == ',' || !in_value_ || take_bare_value();
  }

  bool in_array() const { return !open_.empty() && open_.back() == '['; }

  bool open(char c) {
    open_ += c;
    in_value_ = c == '[';
    return true;
  }

  bool close(char c) {
    if (open_.empty()) return true;
    if (open_.back() != (c == ']' ? '[' : '{')) {
      return refuse(fmt::format("'{}' closes '{}'", c, open_.back()));
    }
    open_.pop_back();
    in_value_ = true;  // what follows belongs to the value that ends here, until a comma or line
    return true;
  }

  bool skip_comment() {
    while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    return true;
  }

  /// A number, date or word. TOML++ reads it to the next blank, comma, bracket or comment without
  /// minding quotes.
  bool take_bare_value() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (std::isspace(static_cast<unsigned char>(c)) || c == ',' || c == ']' || c == '}' ||
          c == '#') {
        --at_;  // read again
        return true;
      }
      if (c == '"' || c == '\'') return refuse("a quote must not follow a value directly");
      if (!is_ascii(c)) return refuse("numbers and words are ASCII");
      if (c == '.') ++dots_;
    }
    return true;
  }

  /// From the opening quote to the closing one, or the end of its line.
  bool skip_string(char quote) {
    const std::string fence(3, quote);
    const bool multiline = text_.substr(at_, 3) == fence;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
        if (!skip_escape(multiline)) return false;
      } else if (multiline && text_.substr(at_, 3) == fence) {
        constexpr int quotes_max = 2;  // of the text, directly before the fence
        for (int i = 0; i < quotes_max && peek(at_ + fence.size()) == quote; ++i) ++at_;
        at_ += fence.size() - 1;
        return true;
      } else if (!multiline && (text_[at_] == quote || text_[at_] == '\n')) {
        if (text_[at_] == '\n') --at_;  // the line end is read again
        return true;
      }
    }
    return true;
  }

  /// What follows a backslash: one character, or the blanks of a line that goes on.
  bool skip_escape(bool multiline) {
    if (!is_ascii(peek(at_))) return refuse("there is no such escape");
    if (!multiline || !std::isspace(static_cast<unsigned char>(peek(at_)))) return true;
    while (std::isspace(static_cast<unsigned char>(peek(at_ + 1)))) ++at_;
    if (is_ascii(peek(at_ + 1))) return true;
    ++at_;
    return refuse("a continued line of a string must go on with an ASCII character");
  }

  /// [key or [[key, at the start of a line and outside of values.
  bool take_header() {
    std::size_t next = at_ + 1;
    while (is_blank(peek(next))) ++next;
    if (peek(next) == '[') ++next;
    while (is_blank(peek(next))) ++next;
    if (!starts_key(peek(next)) && peek(next) != ']') {
      at_ = next;
      return refuse("a table header needs a name");
    }
    at_ = next - 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
  std::string open_;  // brackets of values
  std::string problem_;
  bool in_value_ = false;
  bool fresh_line_ = true;
};

Place place_of(std::string_view text, std::size_t at, const std::string& file) {
  Place place{file, 1, 1};
  for (const char c : text.substr(0, at)) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++place.column;
    }
  }
  return place;
}

}  // namespace

Result<Done> check_toml(std::string_view text, const std::filesystem::path& file) {
  const std::string name = file.string();
  if (text.size() > toml_bytes_max) {
    return user_failure(fmt::format("the file has more than {} bytes", toml_bytes_max), "",
                        Place{name, 0, 0});
  }
  Scan scan(text);
  if (!scan.run()) {
    return user_failure(scan.problem(), "the file is not valid TOML",
                        place_of(text, scan.position(), name));
  }
  if (scan.dots() > toml_dots_max) {
    return user_failure(
        fmt::format("the file has more than {} dots outside of strings", toml_dots_max),
        "dotted keys nest tables; write fewer of them", Place{name, 0, 0});
  }
  return Done{};
}

}  // namespace gate
