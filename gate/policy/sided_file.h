// A policy file on both sides of a change: where its notes point, and collecting them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/policy/note.h"

namespace gate {

/// The two roots that paths are compared below, and what was found so far.
struct PolicySides {
  std::filesystem::path base, head;  // base tree's folder, repository root
  std::vector<PolicyNote> notes;
};

class SidedFile {
 public:
  /// Absolute paths; either may not exist. Shown as the head's, else the base's below its root.
  SidedFile(PolicySides& sides, const std::filesystem::path& base,
            const std::filesystem::path& head);

  /// `word`: what the changed line says, so that the note points at it.
  void loosening(const std::string& text, const std::string& excuse, const std::string& word = "");
  void change(const std::string& text, const std::string& word = "");
  void new_contract(const std::string& text, const std::string& word = "");
  /// A loosening unless it only demands more.
  void edited(bool stricter, const std::string& text, const std::string& word);

  const std::string& base_text() const { return base_text_; }
  const std::string& head_text() const { return head_text_; }

 private:
  void add(PolicyNote::What what, const std::string& text, const std::string& excuse,
           const std::string& word);
  int line_of(const std::string& word) const;

  PolicySides& sides_;
  std::string shown_, base_text_, head_text_;
};

/// `path` as the repository names it, from below either root.
std::string shown_in_repository(const PolicySides& sides, const std::filesystem::path& path);

}  // namespace gate
