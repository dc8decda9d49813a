// What a worker may no longer do once it holds foreign code: write files, open network sockets,
// look into or signal other processes, start programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gate {

struct SandboxOptions {
  bool may_start_programs = false;  // python worker: compilers
  bool restrict_files = true;       // false: the program does it itself, once its GPU is open
};

/// First thing in a worker: dies with its parent, no core files, first victim when memory runs out.
/// False if the parent is gone already.
bool tie_to_parent(int parent);

/// Landlock and seccomp as far as this kernel has them. Cannot be undone. JSON object that says
/// what holds: {"sandbox": {"landlock": 7, "seccomp": true}}.
std::string enter_sandbox(const SandboxOptions& options);

}  // namespace gate
