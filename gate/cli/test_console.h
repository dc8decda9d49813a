// What a run prints while it goes on: GoogleTest's lines, and progress on the error stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "gate/cli/background.h"
#include "gate/report/report.h"

namespace gate {

class TestConsole {
 public:
  TestConsole(std::ostream& out, std::ostream& err, bool colour, bool progress_line)
      : out_(out), err_(err), colour_(colour), progress_line_(progress_line) {}

  void program_starts(int tests, int suites);
  void suite_starts(const std::string& suite, int tests);
  void test_starts(const std::string& name);
  void test_ends(const TestRow& row);
  void suite_ends(const std::string& suite, int tests);
  void program_ends();
  /// Called several times a second while a test waits.
  void idle(const Progress& progress);

 private:
  void line(const std::string& tag, const std::string& code, const std::string& text);
  void clear_progress();

  std::ostream& out_;
  std::ostream& err_;
  bool colour_;
  bool progress_line_;
  bool progress_shown_ = false;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

}  // namespace gate
