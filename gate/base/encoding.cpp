// Encodings of text.h: safe UTF-8, base64url, zlib.
// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// Decodes one character strictly: no overlong forms, surrogates or codes above U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length, true};
}

/// Characters that steer a terminal or reorder what a person reads.
bool is_unsafe(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return true;
  const bool bidi = code == 0x061C || code == 0x200E || code == 0x200F ||
                    (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  const bool line_break = code == 0x2028 || code == 0x2029;
  const bool noncharacter = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  return bidi || line_break || noncharacter;
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

}  // namespace

std::string clean_text(std::string_view text, std::size_t bytes_max) {
  std::string clean;
  std::size_t cut = 0;  // where the text can end so that the ellipsis still fits
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    if (!character.valid) {
      clean += replacement;
    } else if (!is_unsafe(character.code)) {
      clean += bytes;
    }
    text.remove_prefix(character.bytes);
    if (clean.size() > bytes_max) {
      clean.resize(cut);
      return bytes_max < ellipsis.size() ? clean : clean.append(ellipsis);
    }
    const std::size_t reserve = std::min(ellipsis.size(), bytes_max);
    if (clean.size() + reserve <= bytes_max) cut = clean.size();
  }
  return clean;
}

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string text;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char byte : bytes) {
    buffer = (buffer << 8 | static_cast<unsigned char>(byte)) & 0xFFFF;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += alphabet[buffer >> bits & 63];
    }
  }
  if (bits > 0) text += alphabet[buffer << (6 - bits) & 63];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t value = alphabet.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    buffer = (buffer << 6 | static_cast<std::uint32_t>(value)) & 0xFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(buffer >> bits & 0xFF);
    }
  }
  // One text per byte string: no lone letter at the end, and no bits beyond the last byte.
  const bool canonical = text.size() % 4 != 1 && (buffer & ((1u << bits) - 1)) == 0;
  if (!canonical) return std::nullopt;
  return bytes;
}

std::string deflate(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  check(status == Z_OK, "compressBound reserves enough for zlib");
  packed.resize(size);
  return packed;
}

std::optional<std::string> inflate(std::string_view bytes, std::size_t bytes_max) {
  z_stream stream{};
  if (bytes.size() > UINT32_MAX || inflateInit(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string content;
  std::array<char, 16384> piece;
  int status = Z_OK;
  while (status == Z_OK && content.size() <= bytes_max) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = ::inflate(&stream, Z_NO_FLUSH);
    content.append(piece.data(), piece.size() - stream.avail_out);
  }
  const bool whole = status == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole || content.size() > bytes_max) return std::nullopt;
  return content;
}

}  // namespace gate
