// A finding: a reproduced, shrunk failure with its explanation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/explain/core.h"
#include "gate/search/search.h"
#include "gate/spec/seed.h"

namespace gate {

/// One necessary condition of a failure.
struct ExplainedCondition {
  std::string text;
  std::size_t passing_without = 0;  // passing cases that meet all the others but not this one
};

struct Explanation {
  std::string pattern;         // name: "last partial tile", "constant factor" …
  std::string pattern_detail;  // "columns 128.. of 129", "2"
  std::string core;            // "fails exactly when cols % 128 != 0 (41 of 41 …)"
  std::string sentence;        // one line a person can act on
  std::string worst;           // "y[0,128]: got 1.5, want 1.25, limit 0.0001"
  std::string error_map;       // text blocks, several lines
  std::vector<ExplainedCondition> conditions = {};
  std::size_t failing_met = 0, failing = 0;  // cases that meet all conditions, of all
  std::size_t passing_met = 0, passing = 0;
  std::size_t executions = 0;  // that explaining cost
  Rule rule = {};              // the conditions, to be asked about other cases
  Hypothesis cause = {};       // "as if slope were 0.1"; without text where none was found
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
Explanation explain(Evidence& evidence, const RawFailure& failure, std::size_t executions_max);
/// Whether a finding's cause explains another failure: same kind, same property (or special where
/// the finding is of plain values), its pattern holds there and so do its conditions.
bool accounts_for(Evidence& evidence, const Finding& finding, const Judged& other);
/// Whether two findings of one kind compute the same instead of what is right.
bool same_cause(const Finding& left, const Finding& right);
/// Full explanation; may execute a few more cases within `executions_max`.
Explanation explain(Executor& executor, const RawFailure& failure,
                    const std::vector<Judged>& judged, std::size_t executions_max);
Finding make_finding(const Target& target, RawFailure failure, Explanation explanation);

}  // namespace gate
