// What a process and its descendants did so far, as /proc tells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>

namespace gate {

struct ProcessTree {
  std::chrono::milliseconds processor_time{};  // of all, those that have ended included
  bool wants_processor = false;                // one of them runs, waits to run or for the disk
};

/// Nothing of a process that is not there. Descendants whose parent has ended are not found.
ProcessTree look_at_tree(pid_t root);

}  // namespace gate
