// Escaping and number forms of the worker protocol.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/json_text.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace gate {

namespace {
constexpr std::string_view hex_digits = "0123456789abcdef";
}

void JsonText::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonText::quote(std::string_view value) {
  text_ += '"';
  std::size_t plain = 0;  // start of what needs no escape
  for (std::size_t at = 0; at < value.size(); ++at) {
    const auto code = static_cast<unsigned char>(value[at]);
    if (code >= 0x20 && code != '"' && code != '\\') continue;
    text_ += value.substr(plain, at - plain);
    plain = at + 1;
    escape(code);
  }
  text_ += value.substr(plain);
  text_ += '"';
}

void JsonText::escape(unsigned char code) {
  switch (code) {
    case '"':
      text_ += "\\\"";
      return;
    case '\\':
      text_ += "\\\\";
      return;
    case '\n':  // this and the tab are all that clean_text keeps
      text_ += "\\n";
      return;
    case '\t':
      text_ += "\\t";
      return;
    default:
      text_ += "\\u00";
      text_ += hex_digits[code >> 4];
      text_ += hex_digits[code & 15];
  }
}

JsonText& JsonText::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  first_ = true;  // the value follows without a comma
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  separate();
  quote(value);
  return *this;
}

JsonText& JsonText::number(std::int64_t value) {
  separate();
  text_ += std::to_string(value);
  return *this;
}

JsonText& JsonText::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonText& JsonText::hex(std::uint64_t value) {
  separate();
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
  text_ += "\"0x";
  text_.append(digits, end);
  text_ += '"';
  return *this;
}

JsonText& JsonText::real(double value) {
  if (!std::isfinite(value)) return hex(std::bit_cast<std::uint64_t>(value));
  separate();
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  const std::string_view number(digits, static_cast<std::size_t>(end - digits));
  text_ += number;
  // Without a point a reader takes it for an integer and loses the sign of -0.
  if (number.find_first_of(".e") == std::string_view::npos) text_ += ".0";
  return *this;
}

}  // namespace gate
