// Addresses: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/address.h"

#include <algorithm>
#include <cctype>

#include "gate/base/text.h"

namespace gate {
namespace {

bool is_letter_or_digit(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

std::string encoded(std::string_view text, std::string_view kept) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80 &&
        (is_letter_or_digit(letter) || kept.find(letter) != std::string_view::npos)) {
      result += letter;
    } else {
      result += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return result;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(), [](char letter) {
           return is_letter_or_digit(letter) || letter == '-' || letter == '_' || letter == '.';
         });
}

}  // namespace

std::optional<std::string> origin_of(std::string_view address) {
  const bool printable = std::all_of(address.begin(), address.end(), [](char letter) {
    return letter > ' ' && letter < 0x7F && letter != '\\';
  });
  const std::size_t scheme_end = address.find("://");
  if (!printable || scheme_end == std::string_view::npos) return std::nullopt;
  const std::size_t end = address.find_first_of("/?#", scheme_end + 3);
  std::string origin(address.substr(0, end));
  std::transform(origin.begin(), origin.end(), origin.begin(), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  const bool known = origin.starts_with("https://") || origin.starts_with("http://");
  if (!known || origin.size() == scheme_end + 3 || origin.find('@') != std::string::npos) {
    return std::nullopt;
  }
  return origin;
}

bool is_below(std::string_view address, std::string_view base) {
  const auto origin = origin_of(address);
  const auto base_origin = origin_of(base);
  if (!origin || origin != base_origin) return false;
  const std::string_view path = address.substr(origin->size());
  std::string_view base_path = base.substr(base_origin->size());
  while (base_path.ends_with('/')) base_path.remove_suffix(1);
  if (path.find("..") != std::string_view::npos || !path.starts_with(base_path)) return false;
  const std::string_view rest = path.substr(base_path.size());
  return rest.empty() || rest.front() == '/' || rest.front() == '?';
}

std::string percent_encoded(std::string_view text) { return encoded(text, "-._~"); }

std::string percent_encoded_path(std::string_view path) { return encoded(path, "-._~/"); }

std::optional<std::string> next_link(std::string_view header) {
  // A target holds no '>' and is followed by its parameters up to the next comma.
  while (true) {
    const std::size_t open = header.find('<');
    const std::size_t close = header.find('>', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    const std::string_view target = header.substr(open + 1, close - open - 1);
    header.remove_prefix(close + 1);
    const std::string_view parameters = header.substr(0, header.find('<'));
    if (parameters.find("rel=\"next\"") != std::string_view::npos) return std::string(target);
  }
}

bool is_repository(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_name(text.substr(0, slash)) &&
         is_name(text.substr(slash + 1));
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace gate
