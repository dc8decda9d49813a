// The host's C++ compiler as the emulator uses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/base/process.h"
#include "gate/base/result.h"
#include "gate/device/device.h"

namespace gate {

/// Flags that choose instructions: those this machine has.
std::vector<std::string> instruction_flags();
/// First line of the compiler's version, or why there is none.
Result<std::string> compiler_version();

/// Runs the compiler; not found is a machine failure.
Result<ProcessResult> run_compiler(const std::vector<std::string>& arguments);

std::vector<std::string> preprocess_arguments(const BuildRequest& request,
                                              const std::string& include_folder);
/// Assembly from translated source; `extra` goes before the files.
std::vector<std::string> compile_arguments(const std::string& source, const std::string& output,
                                           const std::vector<std::string>& extra);
/// Runs a tool of the compiler's binutils (ld, objcopy).
Result<ProcessResult> run_tool(const std::vector<std::string>& command);

}  // namespace gate
