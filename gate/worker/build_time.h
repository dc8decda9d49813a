// How long a compiler and a whole build may take, and what it means when that is over. A compiler
// that had its time on a processor, or waits for something, is the source's fault; one that the
// machine did not let run says nothing about the source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/base/process.h"
#include "gate/worker/requests.h"

namespace gate {

inline constexpr int compile_ms_max = 110'000;  // one run of a C++ compiler
inline constexpr int nvcc_ms_max = 300'000;     // templates of libraries take minutes
inline constexpr int build_ms_max = 310'000;    // all of it: beyond any one compiler's own limit

inline ProcessOptions compiler_options(int timeout_ms) {
  ProcessOptions options;
  options.timeout_ms = timeout_ms;
  options.starved_times_max = 9;
  return options;
}

/// Of a run that has timed out: `what` is "the compiler", "nvcc" …
inline BuildReply out_of_time(const ProcessResult& run, const std::string& what, int timeout_ms) {
  const std::string seconds = std::to_string(timeout_ms / 1000) + " s";
  if (!run.starved) return {Kind::build_failed, what + " did not end within " + seconds, false};
  return {Kind::environment,
          "the machine is too busy: " + what + " never got " + seconds + " of a processor", false};
}

}  // namespace gate
