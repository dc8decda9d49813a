// Forms of words in our files.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"

namespace gate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_file_stem(std::string_view text) {
  constexpr std::size_t bytes_max = 120;  // leaves room for the fingerprint in a seed's file name
  return !text.empty() && text.size() <= bytes_max && (is_letter(text[0]) || is_digit(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.'; });
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  if (!digits(text.substr(0, 4)) || !digits(text.substr(5, 2)) || !digits(text.substr(8, 2))) {
    return false;
  }
  const auto month = parse_integer(text.substr(5, 2));
  const auto day = parse_integer(text.substr(8, 2));
  return month && day && *month >= 1 && *month <= 12 && *day >= 1 && *day <= 31;
}

std::string typo_hint(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t typo_max = 100;  // nobody means a longer word; distances cost its length
  const auto close = word.size() <= typo_max ? nearest(word, known) : std::nullopt;
  return close ? fmt::format("did you mean \"{}\"?", *close) : "";
}

std::string word_hint(const std::string& word, const std::vector<std::string>& known) {
  std::string typo = typo_hint(word, known);
  if (!typo.empty()) return typo;
  if (known.empty()) return "nothing is allowed here";
  constexpr std::size_t listed_max = 16;
  std::vector<std::string> listed(
      known.begin(),
      known.begin() + static_cast<std::ptrdiff_t>(std::min(known.size(), listed_max)));
  if (listed.size() < known.size()) listed.push_back("…");
  return "known here: " + join(listed, ", ");
}

}  // namespace gate
