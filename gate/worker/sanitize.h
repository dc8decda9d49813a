// Jobs once more in a worker started under NVIDIA's compute-sanitizer: what it says is evidence
// beside a finding and never changes a verdict.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/worker/pool.h"

namespace gate {

struct SanitizerReport {
  std::string tool;     // memcheck racecheck
  bool ran = false;     // false: `text` says why not (no such tool, no such device)
  bool errors = false;  // it found something
  std::string text;     // its words, without process numbers
};

/// Runs the jobs under memcheck, and under racecheck where blocks share memory. Only for `cuda`.
std::vector<SanitizerReport> sanitize(const Image& image, const SessionOptions& options,
                                      const std::vector<Job>& jobs);
/// The reports as one text for people.
std::string to_text(const std::vector<SanitizerReport>& reports);

}  // namespace gate
