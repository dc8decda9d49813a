// One thing a change does to policy: what, where, and what it would have excused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

struct PolicyNote {
  enum class What {
    new_contract,  // a file or entry that the base does not have: taken from the head
    change,        // another demand that excuses nothing: takes effect once it is merged
    loosening,     // would excuse something; has no effect, red
    allowed,       // a loosening that somebody allowed: in effect, not red
  };
  What what = What::change;
  std::string file;  // as the repository names it
  int line = 1;
  std::string text;    // "c of f32 is raised from 1 to 50"
  std::string excuse;  // "errors of up to 50 envelopes"; loosening only
};

std::string_view name(PolicyNote::What what);
/// "loosening: tolerances/relu.toml:4: c of f32 is raised from 1 to 50 (would have excused …)":
/// the form in which reports carry notes.
std::string to_text(const PolicyNote& note);
/// The inverse (the excuse stays in the text); nothing for other texts.
std::optional<PolicyNote> parse_note(std::string_view text);

/// Loosening first, then by file, line and text; without duplicates.
void sort_notes(std::vector<PolicyNote>& notes);
bool has_loosening(const std::vector<PolicyNote>& notes);

}  // namespace gate
