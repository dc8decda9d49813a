// The seccomp filter of workers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/device/sandbox.h"

namespace gate {

/// Installs the filter for all threads; false where the kernel or the machine has none.
bool filter_system_calls(const SandboxOptions& options);

}  // namespace gate
