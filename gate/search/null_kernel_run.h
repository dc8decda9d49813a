// Null kernels against the cases of a plan: which of them some case rejects. A survivor means that
// tolerance or cases prove nothing (oracle.md section 8). Runs no kernel, only the reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/search/search.h"

namespace gate {

struct NullKernelResult {
  std::string name;
  std::size_t rejected = 0, survived = 0;  // cases
  std::size_t not_applicable = 0;          // nothing to fill, or equal to the reference
};

/// One result per null kernel, in the table's order. With `until_rejected` a null kernel is left
/// alone once some case has rejected it, and the plan once that holds for all that apply.
std::vector<NullKernelResult> measure_null_kernels(Executor& executor,
                                                   const std::vector<Entry>& plan,
                                                   bool until_rejected = false);
/// Null kernels that applied to some case and that none rejected.
std::vector<std::string> surviving_null_kernels(const std::vector<NullKernelResult>& results);

}  // namespace gate
