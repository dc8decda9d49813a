// Seeds as tokens, and finding a seed inside whatever text a person saved.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/token.h"

#include "gate/base/text.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr std::string_view token_prefix = "ig1:";
constexpr std::size_t seed_bytes_max = 1u << 20;
constexpr std::string_view token_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Contents of the first fenced block that opens with ```toml, or nothing.
std::optional<std::string> toml_block(const std::string& text) {
  const std::string opening = "```toml";
  const std::size_t begin = text.find(opening);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t line_end = text.find('\n', begin);
  if (line_end == std::string::npos) return std::nullopt;
  const std::size_t end = text.find("\n```", line_end);
  if (end == std::string::npos) return std::nullopt;
  return text.substr(line_end + 1, end - line_end);
}

}  // namespace

std::string to_token(const Seed& seed) {
  return std::string(token_prefix) + base64url(deflate(to_toml(seed)));
}

Result<Seed> parse_token(std::string_view token) {
  const std::string hint = "copy the whole token, from ig1: to its last letter";
  if (!token.starts_with(token_prefix)) return user_failure("not a seed token", hint);
  const auto packed = from_base64url(token.substr(token_prefix.size()));
  if (!packed) return user_failure("the token holds characters that do not belong there", hint);
  const auto text = inflate(*packed, seed_bytes_max);
  if (!text) return user_failure("the token is damaged or cut", hint);
  return parse_seed(*text, "token");
}

Result<Seed> find_seed(const std::string& text, const std::string& file) {
  const std::size_t begin = text.find(token_prefix);
  const auto block = toml_block(text);
  if (block && (begin == std::string::npos || text.find("```toml") < begin)) {
    return parse_seed(*block, file);
  }
  if (begin == std::string::npos) return parse_seed(text, file);
  const std::size_t body = begin + token_prefix.size();
  const std::size_t end = text.find_first_not_of(token_characters, body);
  return parse_token(std::string_view(text).substr(
      begin, end == std::string::npos ? std::string::npos : end - begin));
}

}  // namespace gate
