// A launcher of this very process against an op's schema and reference: plan, judge, shrink.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "gate/base/result.h"
#include "gate/cases/inputs.h"

namespace gate {

/// One case in guarded memory, as a launcher sees it.
struct LauncherCall {
  const Inputs* inputs = nullptr;
  std::map<std::string, std::byte*> first;  // tensor -> element at its offset
  std::string failure;                      // of the launcher itself
};

struct LauncherCheck {
  std::filesystem::path runtime;  // the folder with testcases/ and tolerances/
  std::string op, column, name, run_seed;
  std::string replay;  // a token: only its case, where it is of this op, column and launcher
  std::int64_t cases = 96;
  bool contiguous = false;
  std::function<void(LauncherCall&)> launch;
};

struct LauncherReport {
  bool holds = false;
  std::string text;  // what was checked, or the failure, its smallest case, and its seed
};
LauncherReport check_launcher(const LauncherCheck& check);

}  // namespace gate
