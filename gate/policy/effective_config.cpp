// Which gate.toml a change is judged with: see effective.h.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/policy/compare.h"
#include "gate/policy/effective.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// The base's config at the same place of the head.
Config at_head(const Config& base, const PolicySides& sides) {
  Config config = base;
  config.root = (sides.head / base.root.lexically_relative(sides.base)).lexically_normal();
  if (!config.root.has_filename()) config.root = config.root.parent_path();
  return config;
}

void add_missing(std::vector<std::string>& folders, const std::vector<std::string>& more) {
  for (const std::string& folder : more) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
}

/// A gate.toml where the base has none, but ops: its demands must not be below the defaults.
Config new_config(const ConfigInput& input, PolicySides& sides) {
  SidedFile file(sides, {}, input.natural.root / "gate.toml");
  if (input.base_has_ops) {
    const std::size_t before = sides.notes.size();
    Config base = input.base;
    std::erase_if(base.ops, [&](const std::string& folder) {
      std::error_code error;
      return !fs::exists(base.root / folder, error);
    });
    compare_configs(base, input.natural, file);
    const bool loosens = std::any_of(
        sides.notes.begin() + static_cast<std::ptrdiff_t>(before), sides.notes.end(),
        [](const PolicyNote& note) { return note.what == PolicyNote::What::loosening; });
    if (loosens) return at_head(input.base, sides);
  }
  file.new_contract("gate.toml is new");
  return input.natural;
}

}  // namespace

Config effective_config(const ConfigInput& input, PolicySides& sides) {
  const bool head_has_file = !input.natural.file.empty();
  if (input.base.file.empty()) return head_has_file ? new_config(input, sides) : input.natural;
  Config config = at_head(input.base, sides);
  const fs::path base_file = input.base.root / "gate.toml";
  if (head_has_file && input.natural.root == config.root) {
    SidedFile file(sides, base_file, config.root / "gate.toml");
    compare_configs(input.base, input.natural, file);
    add_missing(config.ops, input.natural.ops);
    return config;
  }
  std::error_code error;
  if (!fs::exists(config.root / "gate.toml", error)) {
    SidedFile file(sides, base_file, {});
    file.loosening("gate.toml is deleted", "what its plan sizes and places demand");
  }
  return config;  // a nearer gate.toml is noted with the op folders
}

}  // namespace gate
