// A finding: a reproduced, shrunk failure with its explanation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/search/search.h"
#include "gate/spec/seed.h"

namespace gate {

struct Explanation {
  std::string pattern;         // name: "last partial tile", "constant factor" …
  std::string pattern_detail;  // "columns 128.. of 129", "2"
  std::string core;            // "fails exactly when cols % 128 != 0 (41 of 41 …)"
  std::string sentence;        // one line a person can act on
  std::string worst;           // "y[0,128]: got 1.5, want 1.25, limit 0.0001"
  std::string error_map;       // text blocks, several lines
};

struct Finding {
  std::string op, kernel, column, device;
  RawFailure failure;
  Explanation explanation;
  Seed seed;                    // ready to be written
  std::string novelty = "new";  // new preexisting known regressed fixed flaky
  std::string source_file;      // repository path of the kernel source
  int source_line = 1;          // of the entry function
  std::string sanitizer;        // what compute-sanitizer said of the shrunk case, if asked
};

/// Pattern only: cheap, used by shrinking to keep to one bug.
std::string pattern_of(const Verdict& verdict);
/// Full explanation; may execute a few more cases within `executions_max`.
Explanation explain(Executor& executor, const RawFailure& failure,
                    const std::vector<Judged>& judged, std::size_t executions_max);
Finding make_finding(const Target& target, RawFailure failure, Explanation explanation);

}  // namespace gate
