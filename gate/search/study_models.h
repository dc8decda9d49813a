// fp64 models of seeded bugs: what a buggy kernel computes when nothing rounds. They say which
// cases could be detected at all. Files: testcases/<op>/models/<kernel>.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/reference/expected.h"

namespace gate {

struct BugModel {
  const char* op;
  const char* kernel;
  Expected (*values)(const Inputs&, const OpSchema&, const std::string& column);  // envelope 0
};

/// Generated, sorted by op and kernel.
std::vector<const BugModel*> bug_model_table();
/// Null where a kernel has none.
const BugModel* find_bug_model(const std::string& op, const std::string& kernel);

/// How the fp64 result of a buggy kernel differs from the right one, at elements that the contract
/// holds: another class (NaN, infinity, finite after the final store), or further off than
/// u_out |y| + eta, which even the best rounding cannot hide.
struct Visible {
  bool anywhere = false;      // judgeable or not
  bool judgeable = false;     // at an element whose reference can be judged
  std::int64_t elements = 0;  // of the second kind
};
Visible visible_difference(const Expected& buggy, const Expected& right, const OpSchema& op,
                           const std::string& column);

}  // namespace gate
