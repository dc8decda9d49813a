// Where the programs find the files they bring along, and where they may keep built images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gate {

/// Folder `runtime` beside the running program or up to three folders above it (test programs);
/// empty if there is none. Emulation headers are at gate/device/emu/include below it, and so on:
/// paths below it are those of the source tree.
std::filesystem::path runtime_folder();

/// Folder for the build cache, created with mode 0700: GATE_CACHE, else
/// XDG_CACHE_HOME/illusion-gate, else HOME/.cache/illusion-gate, else a private temporary folder.
/// A choice that is a link, cannot be created or written, or belongs to somebody else falls to
/// the next; empty if none is left.
std::filesystem::path cache_folder();

}  // namespace gate
