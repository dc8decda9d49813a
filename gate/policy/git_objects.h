// Reading a revision straight from git's objects: no checkout and no `git archive`, whose
// attributes (export-ignore, export-subst, filters) a change could use to hide files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gate/base/result.h"

namespace gate {

/// Full hash of the commit that `revision` names; a machine failure with what to do otherwise.
Result<std::string> resolve_commit(const std::filesystem::path& repository,
                                   const std::string& revision);

/// Writes what the gate and its compilers read of a commit below `folder`: TOML files and sources.
/// Links are left out, and submodules are empty folders; a link where policy stands is a failure,
/// not a gap.
Result<Done> write_tree(const std::filesystem::path& repository, const std::string& commit,
                        const std::filesystem::path& folder);

}  // namespace gate
