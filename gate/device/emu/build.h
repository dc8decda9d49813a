// Building an emulated image: preprocess, translate, compile with the host's C++ compiler.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/device/device.h"

namespace gate {

BuildReply build_emu_image(const BuildRequest& request);
/// Compiler and code generation, for the cache's key.
std::string emu_build_identity();
/// JSON object: device name, compiler, instruction sets.
std::string emu_facts();

}  // namespace gate
