// The files of the base revision, as a folder that mirrors the repository: a checkout that the
// caller names, or what git holds of a revision, written into a private temporary folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gate/base/files.h"
#include "gate/base/result.h"

namespace gate {

struct BaseTree {
  std::filesystem::path folder;          // stands for the repository's root
  std::string revision;                  // full commit; empty for a folder
  std::optional<TemporaryFolder> owned;  // the folder, if it is ours to remove
};

/// The root of the repository around `path`; outside of one the current folder if `path` is below
/// it, else the path itself (its folder for a file). Absolute.
std::filesystem::path repository_root(const std::filesystem::path& path);

/// `from` is a folder if it is absolute or starts with "./" or "../", else a revision: a folder
/// that a change brings along must never be taken for one. A revision that cannot be read, as in a
/// shallow clone, is a machine failure.
Result<BaseTree> open_base(const std::string& from, const std::filesystem::path& repository);

}  // namespace gate
