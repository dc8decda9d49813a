// What the gate asks of a device beside running jobs: to build an image and to load one. Shared by
// both programs; JSON forms in wire.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "gate/spec/kernel_spec.h"
#include "gate/spec/kind.h"

namespace gate {

/// One column of a kernel, as the gate's `load` message carries it.
struct LoadRequest {
  std::string image;  // path in the build cache
  std::string column;
  std::vector<Workspace> workspaces;
  std::vector<LaunchStep> launch;  // `entry` holds this column only
  std::map<std::string, DType> dtypes;
};

struct BuildRequest {
  std::string source;        // absolute path
  std::string output;        // image to write
  std::string dependencies;  // depfile to write (make syntax), may stay unwritten
  std::vector<std::string> defines;
  std::vector<std::string> entries;  // functions needed, template instances allowed
  bool entries_are_kernels = false;  // __global__ functions, not host launchers
  bool fast_math = false;
};

struct BuildReply {
  Kind kind = Kind::pass;  // pass, build_failed, unsupported, environment
  std::string text;
  bool uses_shared_or_atomics = false;
};

/// Patterned bytes on both sides of every tensor in a slot; at least as many.
inline constexpr std::size_t red_zone_bytes = 4096;

}  // namespace gate
