// Notes on one file: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/sided_file.h"

#include <set>

#include "gate/base/files.h"
#include "gate/base/text.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t text_bytes_max = 16u << 20;

std::string text_of(const fs::path& file) {
  if (file.empty()) return {};
  const Result<std::string> text = read_file(file, text_bytes_max);
  return text ? *text : std::string();
}

std::string below(const fs::path& path, const fs::path& root) {
  const fs::path relative = path.lexically_relative(root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.string() : std::string();
}

}  // namespace

std::string shown_in_repository(const PolicySides& sides, const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  for (const fs::path& root : {sides.base, sides.head}) {
    if (const std::string shown = below(whole, root); !shown.empty()) return shown;
  }
  return path.string();
}

SidedFile::SidedFile(PolicySides& sides, const fs::path& base, const fs::path& head)
    : sides_(sides), base_text_(text_of(base)), head_text_(text_of(head)) {
  shown_ = shown_in_repository(sides, head.empty() ? base : head);
}

/// The first line of the head that the base lacks and that holds the word; else one that only holds
/// the word; else the first that differs.
int SidedFile::line_of(const std::string& word) const {
  const std::vector<std::string> before = split(base_text_, '\n');
  const std::set<std::string> old(before.begin(), before.end());
  int fresh = 0, mentioned = 0, number = 0;
  for (const std::string& line : split(head_text_.empty() ? base_text_ : head_text_, '\n')) {
    ++number;
    const bool is_new = old.count(line) == 0;
    const bool has_word = !word.empty() && line.find(word) != std::string::npos;
    if (is_new && has_word) return number;
    if (is_new && fresh == 0) fresh = number;
    if (has_word && mentioned == 0) mentioned = number;
  }
  if (mentioned > 0) return mentioned;
  return fresh > 0 ? fresh : 1;
}

void SidedFile::add(PolicyNote::What what, const std::string& text, const std::string& excuse,
                    const std::string& word) {
  sides_.notes.push_back({what, shown_, line_of(word), text, excuse});
}

void SidedFile::loosening(const std::string& text, const std::string& excuse,
                          const std::string& word) {
  add(PolicyNote::What::loosening, text, excuse, word);
}

void SidedFile::change(const std::string& text, const std::string& word) {
  add(PolicyNote::What::change, text, "", word);
}

void SidedFile::new_contract(const std::string& text, const std::string& word) {
  add(PolicyNote::What::new_contract, text, "", word);
}

void SidedFile::edited(bool stricter, const std::string& text, const std::string& word) {
  if (stricter) {
    change(text, word);
  } else {
    loosening(text, "what the base's text demands", word);
  }
}

}  // namespace gate
