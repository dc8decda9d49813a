// The error map: where an output fails, as text blocks for terminals and comments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/oracle/verdict.h"

namespace gate {

/// At most 16 lines of 64 blocks; each block stands for the elements it covers: '.' none fails, '-'
/// some, '#' most, 'N' some are NaN or infinite. A caption says what a block covers. Empty where
/// no element failed.
std::string error_map(const Verdict& verdict);

}  // namespace gate
