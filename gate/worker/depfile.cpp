// One pass over the text; names are collected after the first colon of each rule.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/depfile.h"

#include <algorithm>
#include <utility>

namespace gate {

namespace {

/// Words of the file; an empty word stands for the end of a rule.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (letter == '\\' && (next == '\n' || next == '\r')) {
      end_word();
      at += next == '\r' && at + 2 < text.size() && text[at + 2] == '\n' ? 2 : 1;
    } else if ((letter == '\\' && (next == ' ' || next == '#')) || (letter == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (letter == '\n') {
      end_word();
      words.emplace_back();
    } else if (letter == ' ' || letter == '\t' || letter == '\r') {
      end_word();
    } else {
      word += letter;
    }
  }
  end_word();
  return words;
}

}  // namespace

std::vector<std::string> parse_depfile(std::string_view text) {
  std::vector<std::string> files;
  bool in_targets = true;
  for (const std::string& word : words_of(text)) {
    if (word.empty()) {
      in_targets = true;
    } else if (in_targets) {
      in_targets = word.back() != ':';
    } else if (std::find(files.begin(), files.end(), word) == files.end()) {
      files.push_back(word);
    }
  }
  return files;
}

}  // namespace gate
