// Serving jobs under NVIDIA's compute-sanitizer, which starts this program again inside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gate {

/// Set in the environment of a worker that runs inside the tool.
inline constexpr const char* sanitized_variable = "GATE_SANITIZED";

/// memcheck or racecheck, and the file for its words.
struct SanitizerCall {
  std::string tool, log;
};

/// Becomes compute-sanitizer running this program with `arguments`. Returns only if that fails:
/// why.
std::string become_sanitized(const SanitizerCall& call, const std::vector<std::string>& arguments);
/// Its path, or the bare name where only PATH can tell.
std::string sanitizer_program();

}  // namespace gate
