// The worker's side of the protocol: from control socket and shared slots to a device and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/device/device.h"

namespace gate {

/// Nothing else is mapped that near to the slots.
inline constexpr std::size_t slot_guard_bytes = std::size_t{64} << 30;

struct ServeOptions {
  int control = -1;  // descriptor of the control socket
  int memory = -1;   // descriptor of the slots
  int slots = 1;
  std::string facts_extra;  // JSON object merged into the device's facts: the sandbox
};

/// Serves until `bye` or the gate is gone; the exit code of the process.
int serve(Device& device, const ServeOptions& options);
/// Tells the gate that there will be no worker, and why.
void refuse(int control, Kind kind, const std::string& text);

}  // namespace gate
