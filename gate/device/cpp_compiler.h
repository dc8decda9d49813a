// The system's C++ compiler, as devices use it that run C++ on the CPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gate/worker/requests.h"

namespace gate {

/// Full path of the first of c++, g++, clang++ in PATH.
std::optional<std::filesystem::path> cpp_compiler();
/// What the compiler is (path, size, time), for cache keys.
std::string cpp_compiler_identity();
/// Writes `source` beside the image, compiles it with `words` added; the compiler's message comes
/// back where it fails.
BuildReply compile_cpp(const BuildRequest& request, const std::string& source,
                       const std::vector<std::string>& words);

}  // namespace gate
