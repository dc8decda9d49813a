// Places in sources: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/source.h"

#include <algorithm>
#include <cctype>

#include "gate/base/files.h"

namespace gate {
namespace {

constexpr std::uint64_t source_bytes_max = 4u << 20;

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Next whole-word mention of `name` at or after `begin`.
std::size_t find_word(const std::string& text, const std::string& name, std::size_t begin) {
  for (std::size_t at = text.find(name, begin); at != std::string::npos;
       at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + name.size();
    if (starts && (end == text.size() || !is_word(text[end]))) return at;
  }
  return std::string::npos;
}

/// A definition's parameter list is followed by a body before any semicolon.
bool is_definition(const std::string& text, std::size_t end_of_name) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", end_of_name);
  if (next == std::string::npos || text[next] != '(') return false;
  int depth = 0;
  for (std::size_t i = next; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) {
      const std::size_t stop = text.find_first_of("{;(:", i + 1);
      return stop != std::string::npos && (text[stop] == '{' || text[stop] == ':');
    }
  }
  return false;
}

std::string first_entry(const KernelSpec& kernel, const std::string& column) {
  std::string name;
  if (const auto at = kernel.entry.find(column); at != kernel.entry.end()) name = at->second;
  if (name.empty() && !kernel.launch.empty()) {
    const auto at = kernel.launch.front().entry.find(column);
    if (at != kernel.launch.front().entry.end()) name = at->second;
  }
  return name.substr(0, name.find('<'));
}

}  // namespace

std::string repository_path(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, error);
  if (error) return file.string();
  for (std::filesystem::path folder = whole.parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", error)) {
      return whole.lexically_relative(folder).string();
    }
  }
  return file.string();
}

int entry_line(const KernelSpec& kernel, const std::string& column) {
  const std::string name = first_entry(kernel, column);
  const Result<std::string> text = read_file(kernel.source, source_bytes_max);
  if (name.empty() || !text) return 1;
  const std::size_t first = find_word(*text, name, 0);
  if (first == std::string::npos) return 1;
  std::size_t place = first;
  for (std::size_t at = first; at != std::string::npos; at = find_word(*text, name, at + 1)) {
    if (!is_definition(*text, at + name.size())) continue;
    place = at;
    break;
  }
  const auto end = text->begin() + static_cast<std::ptrdiff_t>(place);
  return 1 + static_cast<int>(std::count(text->begin(), end, '\n'));
}

}  // namespace gate
