// Ctrl-C and termination: the first asks the run to end with its reports written, the second ends
// it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace gate {

/// Installs the handlers and gives the flag they set.
const std::atomic<bool>& watch_interrupts();

}  // namespace gate
