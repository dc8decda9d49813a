// gate init for files of other tools: flashinfer-bench JSON and KernelBench problems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <vector>

#include "gate/cli/init_source.h"

namespace gate {

/// .json and .jsonl
bool is_import(const std::filesystem::path& file);

/// Definitions first, with the scalars and shapes of the workloads among the files; then workloads
/// and solutions of these definitions and of the root's ops. `reload` reads the root again.
Result<std::vector<std::filesystem::path>> import_json(
    const std::vector<std::filesystem::path>& files, InitOptions options,
    const std::function<Result<Catalogue>()>& reload, std::ostream& out);

/// A problem becomes an op: a bundled one that its Model agrees with, else one of its own whose
/// reference.py is the problem.
Result<std::vector<std::filesystem::path>> import_problem(const SourceReading& source,
                                                          const InitOptions& options,
                                                          std::ostream& out);

}  // namespace gate
