// The report while a run goes on: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/live_report.h"

#include <ostream>

#include "gate/cli/report_files.h"
#include "gate/report/jsonl.h"

namespace gate {
namespace {

/// Rewriting the file may take this share of the run at most.
constexpr int quiet_per_write = 20;

}  // namespace

LiveReport::LiveReport(Report head, const std::vector<SelectedTarget>& targets,
                       std::filesystem::path junit, std::ostream* events)
    : report_(std::move(head)), targets_(targets), junit_(std::move(junit)), events_(events) {
  std::size_t tests = 0;
  for (const SelectedTarget& target : targets_) tests += target.tests.size();
  if (events_ != nullptr) *events_ << start_events(report_, tests) << std::flush;
  for (const SelectedTarget& target : targets_) executed_.emplace_back(target.tests.size(), false);
}

void LiveReport::end(const ReportRow& row, std::size_t target, std::size_t test) {
  if (report_.rows.empty() || row_target_ != target) {
    report_.rows.push_back(row);
    report_.rows.back().tests.clear();
    row_target_ = target;
    if (events_ != nullptr) *events_ << row_events(row);
  }
  if (events_ != nullptr) *events_ << test_event(row, row.tests[test]) << std::flush;
  report_.rows.back().tests.push_back(row.tests[test]);
  executed_[target][test] = true;
  changed_ = true;
  refresh();
}

/// The running test, else the next one: a run that was killed never looks complete.
std::optional<TestRow> LiveReport::unfinished() const {
  for (std::size_t target = 0; target < targets_.size(); ++target) {
    for (std::size_t test = 0; test < executed_[target].size(); ++test) {
      if (executed_[target][test]) continue;
      return blank_test(targets_[target], targets_[target].tests[test], Kind::not_checked,
                        "running: the run ended before this test did");
    }
  }
  return std::nullopt;
}

Report LiveReport::snapshot() const {
  Report report = report_;
  std::optional<TestRow> running = unfinished();
  if (!running) return report;
  ReportRow row;
  row.tests.push_back(std::move(*running));
  report.rows.push_back(std::move(row));
  return report;
}

void LiveReport::refresh() {
  if (junit_.empty() || !changed_) return;
  const auto begin = std::chrono::steady_clock::now();
  if (begin < next_write_) return;
  write();
  const auto end = std::chrono::steady_clock::now();
  next_write_ = end + quiet_per_write * (end - begin);
}

void LiveReport::write() {
  changed_ = false;
  const Result<Done> written = write_output("--junit", junit_, to_junit(snapshot()));
  if (!written && problems_.empty()) problems_ = written.failure().problems;
}

Report LiveReport::finish(Background& background) {
  report_.rows.clear();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    report_.rows.push_back(background.wait(i, [] {}));
    ReportRow& row = report_.rows.back();
    for (std::size_t test = 0; test < row.tests.size(); ++test) {
      if (executed_[i][test]) continue;
      row.tests[test] = blank_test(targets_[i], targets_[i].tests[test], Kind::not_checked,
                                   "planned, but not executed");
    }
  }
  report_.device_facts = background.device_facts();
  return report_;
}

}  // namespace gate
