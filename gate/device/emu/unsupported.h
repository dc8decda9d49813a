// What the emulator does not have, as compiler output shows it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gate {

/// The CUDA library a header that was not found belongs to; empty if none is known.
std::string unsupported_library(std::string_view header);

}  // namespace gate
