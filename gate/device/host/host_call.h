// One function of a host image, called through libffi.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ffi.h>

#include <memory>
#include <string>
#include <vector>

#include "gate/device/device.h"
#include "gate/device/host/entry_table.h"

namespace gate {

/// One launch step, ready to be called. Not moved once prepared: the interface points into it.
struct HostStep {
  void (*function)() = nullptr;
  GuardedCall guard = nullptr;  // null for shared objects that are not ours
  bool returns_int = false;
  std::vector<ffi_type*> types;
  ffi_cif interface {};
};

DeviceReply refusal(Kind kind, std::string text);
/// Finds the entry in the image and compares its signature with what the launch passes.
DeviceReply prepare_step(void* image, const LaunchStep& step, const std::string& entry,
                         HostStep& prepared);
/// Calls it; the launcher's own result and exceptions decide.
DeviceReply call_step(HostStep& step, const ResolvedStep& resolved);

}  // namespace gate
