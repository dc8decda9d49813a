// The report while a run goes on: what GoogleTest has finished so far, and the JUnit file that
// shows it. The running test stands there as an error, so that a killed run leaves valid XML that
// says so. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "gate/cli/background.h"
#include "gate/report/report.h"

namespace gate {

class LiveReport {
 public:
  /// `events` (null: nobody reads them) gets a line per event, at once.
  LiveReport(Report head, const std::vector<SelectedTarget>& targets, std::filesystem::path junit,
             std::ostream* events = nullptr);

  void end(const ReportRow& row, std::size_t target, std::size_t test);
  /// Writes JUnit if something changed and the last write is long enough ago.
  void refresh();
  /// The whole report: rows as checked; a test that nobody executed is not checked.
  Report finish(Background& background);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::optional<TestRow> unfinished() const;
  Report snapshot() const;
  void write();

  Report report_;  // rows of targets with a finished test
  const std::vector<SelectedTarget>& targets_;
  std::filesystem::path junit_;
  std::ostream* events_;
  std::vector<std::vector<bool>> executed_;  // target, test
  std::size_t row_target_ = 0;               // target of the last row
  bool changed_ = true;
  std::chrono::steady_clock::time_point next_write_{};
  std::vector<Problem> problems_;
};

}  // namespace gate
