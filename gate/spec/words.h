// Forms of words in our files: names, dates, and the hint for a word that is none of the known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate {

/// A letter or underscore, then letters, digits, underscores.
bool is_identifier(std::string_view text);
/// As a kernel file's name: letters, digits, and _ - . inside.
bool is_file_stem(std::string_view text);
/// YYYY-MM-DD.
bool is_date(std::string_view text);
/// The nearest known word, or nothing.
std::string typo_hint(const std::string& word, const std::vector<std::string>& known);
/// The nearest known word, else the known ones.
std::string word_hint(const std::string& word, const std::vector<std::string>& known);

}  // namespace gate
