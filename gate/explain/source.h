// Where a kernel is in its repository: the file and line that findings, tests and annotations name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gate/spec/kernel_spec.h"

namespace gate {

/// The path as the repository around it names it; unchanged outside a repository.
std::string repository_path(const std::filesystem::path& file);
/// Line of the column's (first) entry function in the kernel's source: its definition where that
/// can be told, else its first mention; 1 for binaries and names that are not there.
int entry_line(const KernelSpec& kernel, const std::string& column);

}  // namespace gate
