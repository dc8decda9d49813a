// Running a drafted kernel on a handful of plain cases: contiguous, drawn like any test would, with
// sizes that differ so that swapped axes show. Agreement with a reference is the evidence for an
// op. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/spec/case.h"
#include "gate/spec/kernel_spec.h"
#include "gate/spec/kind.h"

namespace gate {

struct ProbeRequest {
  const OpSchema& op;
  const KernelSpec& kernel;
  std::string column;
  std::string device;
};

struct ProbeResult {
  Kind build = Kind::pass;
  std::string build_text;
  int passed = 0, cases = 0;  // plain sizes: what a right kernel of this op passes
  bool odd_passes = false;    // and sizes that no tile divides
  std::string failure;        // of the first case that failed: "cols=64 rows=32: wrong …"
};

/// The plain cases of a column that op and kernel allow; the odd one comes last, if there is one.
struct PlainCases {
  std::vector<Case> plain;
  std::vector<Case> odd;
};
PlainCases plain_cases(const OpSchema& op, const KernelSpec& kernel, const std::string& column);

/// Stops at the first plain case that fails unless `all`.
ProbeResult probe(const ProbeRequest& request, bool all = false);
/// Without a reference: whether it runs, stays inside its tensors, and writes all of its outputs.
ProbeResult probe_memory(const ProbeRequest& request);

}  // namespace gate
