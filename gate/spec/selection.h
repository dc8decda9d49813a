// What the given paths select: op folders, and which of their kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gate/spec/read.h"

namespace gate {

/// One op folder; without names every kernel of it.
struct SelectedOp {
  bool whole = false;
  std::set<std::string> kernels;  // stems of kernels/<name>.toml
};

struct Selection {
  Config config;
  std::map<std::filesystem::path, SelectedOp> ops;  // absolute folder of op.toml
  std::set<std::filesystem::path> loose;            // kernel tomls outside of op folders
  bool everything = false;                          // a whole root was given
};

/// A path is a root (folder of gate.toml), a folder of op folders, an op folder, its kernels
/// folder, a kernel toml, a source beside one, or a folder with kernel tomls anywhere below it.
Result<Selection> select_paths(const std::vector<std::filesystem::path>& paths,
                               const CatalogueOptions& options);

/// Kernel tomls below a folder that belong to no op folder, sorted: TOML files with a [kernel].
std::vector<std::filesystem::path> loose_kernel_files(const std::filesystem::path& folder);

/// The kernel tomls of an op folder, sorted.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& op_folder);

}  // namespace gate
