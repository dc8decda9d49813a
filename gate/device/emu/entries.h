// The table of functions an image offers: generated C++ at the end of the translated source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/base/result.h"
#include "gate/device/device.h"
#include "gate/device/emu/translation.h"

namespace gate {

/// The text to append; fails if the source has no such function.
Result<std::string> entry_table(const Translation& translation, const BuildRequest& request);

}  // namespace gate
