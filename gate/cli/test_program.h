// The selected tests as GoogleTest tests: registered under their names and places, executed by
// RUN_ALL_TESTS while the background checks, shown in GoogleTest's style by a listener of ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "gate/cli/background.h"
#include "gate/cli/live_report.h"

namespace gate {

struct TestProgram {
  const std::vector<SelectedTarget>& targets;
  Background& background;
  LiveReport& live;
  std::ostream& out;
  std::ostream& err;
  bool colour = false;
  bool progress_line = false;  // err is a terminal: one line, rewritten in place
};

/// Runs every selected test once. Nothing GoogleTest reads from the environment has an effect.
void run_tests(const TestProgram& program);

}  // namespace gate
