// A pass over the compiler's assembly: conversions of floating point to 32-bit integers saturate
// and turn NaN into 0, as on the hardware; x86 gives the smallest integer for both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gate {

/// AT&T syntax, AVX mnemonics; other text passes unchanged.
std::string with_saturating_conversions(const std::string& assembly);

}  // namespace gate
