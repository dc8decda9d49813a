// Signals of kernels (bad addresses, traps) become faults of the machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gate {

/// Installs the handlers and their stack, once per process.
void catch_signals();

}  // namespace gate
