// Starting other programs from an argv (never a shell), with a deadline and capped output.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/result.h"

namespace gate {

struct ProcessOptions {
  std::filesystem::path folder = {};  // empty: current
  /// The whole environment if not empty; else ours, or none without inherit_environment.
  std::vector<std::pair<std::string, std::string>> environment = {};
  bool inherit_environment = true;
  std::string input = {};
  int timeout_ms = 120'000;  // then SIGKILL to its group
  /// On a busy machine the deadline passes though the program hardly ran: while it wants a
  /// processor and has had less than timeout_ms of one, up to so many deadlines more.
  int starved_times_max = 0;
  std::size_t output_bytes_max = 1u << 20;
};

struct ProcessResult {
  int exit_code = -1;  // -1 if ended by a signal
  int signal = 0;
  bool timed_out = false;
  bool starved = false;  // and never got timeout_ms of a processor, though it wanted one
  std::string output;    // stdout
  std::string errors;    // stderr
};

/// Runs to the end in a process group of its own, which is killed afterwards; inherits no
/// descriptor but the three streams. A program that cannot be started is a machine failure.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                  const ProcessOptions& options = {});
/// Removes GTEST_*, TEST*, RC_PARAMS, LD_PRELOAD, LD_AUDIT … from our own environment
/// (shard variables are read before by the caller).
void scrub_environment();
/// Folder of the running program: gate-worker and gate-publish stand beside gate.
std::filesystem::path program_folder();

}  // namespace gate
