// Seeds as files: reading them from wherever people have them, and the one place that writes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/spec/read.h"

namespace gate {

/// A token, a seed file, a saved comment that holds one, or every seed file below a folder.
Result<std::vector<Seed>> read_seeds(const std::vector<std::string>& sources);
/// Every seed file below a folder; an absent folder has none.
Result<std::vector<Seed>> read_seed_folder(const std::filesystem::path& folder);

/// The same failure: fingerprint, case and pattern; number and status may differ.
bool same_seed(const Seed& left, const Seed& right);
/// The seed of `seeds` that holds the same failure, or null.
const Seed* find_same(const std::vector<Seed>& seeds, const Seed& wanted);
/// Smallest number that no other seed of the fingerprint has.
int free_seed_number(const std::vector<Seed>& seeds, const std::string& fingerprint);

/// Writes <folder>/<op>/<kernel>-<fingerprint>[-n].toml; gives the file.
Result<std::filesystem::path> write_seed(const std::filesystem::path& folder, const Seed& seed);

}  // namespace gate
