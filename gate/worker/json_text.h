// Writing one JSON object member by member: messages are small and written for every case, so no
// document tree is built for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gate {

/// Members come out in the order of the calls; keys and texts are escaped.
class JsonText {
 public:
  JsonText() { text_.reserve(usual_bytes); }
  JsonText& open(char bracket);   // '{' or '['
  JsonText& close(char bracket);  // '}' or ']'
  JsonText& key(std::string_view name);
  JsonText& text(std::string_view value);
  JsonText& number(std::int64_t value);
  JsonText& boolean(bool value);
  /// 64-bit integers travel as hex strings: readers may keep numbers as doubles.
  JsonText& hex(std::uint64_t value);
  /// Finite as a number that reads back to the same bits, else the bits as a hex string.
  JsonText& real(double value);
  std::string take() { return std::move(text_); }

 private:
  void separate();
  void quote(std::string_view value);
  void escape(unsigned char code);

  static constexpr std::size_t usual_bytes = 1024;  // a job with a few tensors
  std::string text_;
  bool first_ = true;
};

}  // namespace gate
