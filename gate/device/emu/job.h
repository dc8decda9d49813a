// One job on the machine: its launch steps in order, judged for faults (not for values).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gate/device/device.h"
#include "gate/device/emu/image.h"

namespace gate {

DeviceReply run_steps(const LoadedImage& image, const std::vector<ResolvedStep>& steps,
                      const DeviceJob& job);

}  // namespace gate
