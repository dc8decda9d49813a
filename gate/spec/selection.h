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
  bool everything = false;                          // a whole root was given
};

/// A path is a root (folder of gate.toml), a folder of op folders, an op folder, its kernels
/// folder, a kernel toml, or a source beside one.
Result<Selection> select_paths(const std::vector<std::filesystem::path>& paths,
                               const CatalogueOptions& options);

/// The kernel tomls of an op folder, sorted.
std::vector<std::filesystem::path> kernel_files(const std::filesystem::path& op_folder);

}  // namespace gate
