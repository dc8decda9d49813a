// Policy notes as text and in order: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/note.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::array all_whats = {PolicyNote::What::new_contract, PolicyNote::What::change,
                                  PolicyNote::What::loosening, PolicyNote::What::allowed};

int rank(PolicyNote::What what) {
  switch (what) {
    case PolicyNote::What::loosening:
      return 0;
    case PolicyNote::What::allowed:
      return 1;
    case PolicyNote::What::change:
      return 2;
    case PolicyNote::What::new_contract:
      return 3;
  }
  return 4;
}

auto key_of(const PolicyNote& note) {
  return std::tuple(rank(note.what), note.file, note.line, note.text, note.excuse);
}

}  // namespace

std::string_view name(PolicyNote::What what) {
  switch (what) {
    case PolicyNote::What::new_contract:
      return "new contract";
    case PolicyNote::What::change:
      return "policy change";
    case PolicyNote::What::loosening:
      return "loosening";
    case PolicyNote::What::allowed:
      return "allowed loosening";
  }
  return "policy change";
}

std::string to_text(const PolicyNote& note) {
  std::string text = std::string(name(note.what)) + ": " + note.file + ":" +
                     std::to_string(note.line) + ": " + note.text;
  if (note.excuse.empty()) return text;
  const bool in_effect = note.what == PolicyNote::What::allowed;
  return text + (in_effect ? " (excuses " : " (would have excused ") + note.excuse + ")";
}

std::optional<PolicyNote> parse_note(std::string_view text) {
  for (const PolicyNote::What what : all_whats) {
    const std::string head = std::string(name(what)) + ": ";
    if (!text.starts_with(head)) continue;
    const std::string_view rest = text.substr(head.size());
    const std::size_t end = rest.find(": ");
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t colon = rest.rfind(':', end - 1);
    if (end == 0 || colon == std::string_view::npos || colon == 0) return std::nullopt;
    constexpr std::int64_t line_max = 1 << 30;
    const auto line = parse_integer(rest.substr(colon + 1, end - colon - 1));
    if (!line || *line < 1 || *line > line_max) return std::nullopt;
    return PolicyNote{what, std::string(rest.substr(0, colon)), static_cast<int>(*line),
                      std::string(rest.substr(end + 2)), ""};
  }
  return std::nullopt;
}

void sort_notes(std::vector<PolicyNote>& notes) {
  const auto before = [](const PolicyNote& left, const PolicyNote& right) {
    return key_of(left) < key_of(right);
  };
  const auto same = [](const PolicyNote& left, const PolicyNote& right) {
    return key_of(left) == key_of(right);
  };
  std::sort(notes.begin(), notes.end(), before);
  notes.erase(std::unique(notes.begin(), notes.end(), same), notes.end());
}

bool has_loosening(const std::vector<PolicyNote>& notes) {
  return std::any_of(notes.begin(), notes.end(), [](const PolicyNote& note) {
    return note.what == PolicyNote::What::loosening;
  });
}

}  // namespace gate
