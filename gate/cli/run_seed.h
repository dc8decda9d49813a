// The run seed: what a plan is drawn from, and the commit it belongs to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gate/base/result.h"

namespace gate {

struct RunSeed {
  std::uint64_t value = 0;
  std::string revision;  // head commit of the repository, empty outside one
};

/// `option` (hex), else the head commit of the repository around `folder`, else a constant: the
/// same everywhere, so that a run without git is repeatable too.
Result<RunSeed> choose_run_seed(const std::string& option, const std::filesystem::path& folder);

}  // namespace gate
