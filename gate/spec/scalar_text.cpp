// Hexadecimal floats through <charconv>: exact, and independent of any locale.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/scalar_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gate {

std::string hex_float(double value) {
  check(!std::isnan(value), "attributes are never NaN");
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                 std::chars_format::hex);
  check(end.ec == std::errc(), "a double has at most 24 hexadecimal characters");
  return (std::signbit(value) ? "-0x" : "0x") + std::string(buffer.data(), end.ptr);
}

std::optional<double> parse_hex_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text == "inf") return negative ? -INFINITY : INFINITY;
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  if (text.empty() || text.starts_with('-') || text.find('p') == std::string_view::npos) {
    return std::nullopt;
  }
  double value = 0;
  const auto end =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return negative ? -value : value;
}

std::string scalar_text(const Scalar& scalar) {
  if (const auto* integer = std::get_if<std::int64_t>(&scalar))
    return std::to_string(*integer) + "i";
  return hex_float(std::get<double>(scalar));
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace gate
