// What of the CUDA Toolkit is at hand, GPU or not: for `gate doctor`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gate {

/// JSON object: nvrtc (version), nvcc and compute-sanitizer (paths); an empty text is a missing
/// one.
std::string cuda_tools();

}  // namespace gate
