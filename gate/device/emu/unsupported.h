// What the emulator does not have, as compiler output shows it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate {

/// The CUDA library a header that was not found belongs to; empty if none is known.
std::string unsupported_library(std::string_view header);
/// Names of CUDA that the compiler does not know: "__nv_fp128_sin at kernel.cu:3".
std::vector<std::string> unsupported_names(const std::string& errors);

}  // namespace gate
