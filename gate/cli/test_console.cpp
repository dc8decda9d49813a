// Lines of a run: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/test_console.h"

#include <fmt/format.h>

#include <ostream>

#include "gate/base/text.h"
#include "gate/report/counts.h"

namespace gate {
namespace {

constexpr std::size_t message_bytes_max = 2000;
/// A log is no terminal: a line now and then shows that the run is alive.
constexpr auto log_interval = std::chrono::seconds(15);

std::string tests_text(int tests) { return fmt::format("{} test{}", tests, tests == 1 ? "" : "s"); }

std::string progress_text(const Progress& progress) {
  return fmt::format("{} of {} cases, {} of {} columns, {} finding{}", progress.entries_done,
                     progress.entries, progress.targets_done, progress.targets, progress.findings,
                     progress.findings == 1 ? "" : "s");
}

}  // namespace

void TestConsole::line(const std::string& tag, const std::string& code, const std::string& text) {
  clear_progress();
  if (colour_) {
    out_ << "\x1b[" << code << "m" << tag << "\x1b[0m " << text << "\n";
  } else {
    out_ << tag << " " << text << "\n";
  }
  out_.flush();
}

void TestConsole::clear_progress() {
  if (!progress_shown_) return;
  err_ << "\r\x1b[K" << std::flush;
  progress_shown_ = false;
}

void TestConsole::program_starts(int tests, int suites) {
  line("[==========]", "32",
       fmt::format("Running {} from {} kernel{}.", tests_text(tests), suites,
                   suites == 1 ? "" : "s"));
}

void TestConsole::suite_starts(const std::string& suite, int tests) {
  line("[----------]", "32", fmt::format("{} from {}", tests_text(tests), suite));
}

void TestConsole::suite_ends(const std::string&, int) {
  clear_progress();
  out_ << "\n" << std::flush;
}

void TestConsole::test_starts(const std::string& name) { line("[ RUN      ]", "32", name); }

void TestConsole::test_ends(const TestRow& row) {
  const std::string name =
      fmt::format("{}.{} ({:.0f} ms)", row.suite, row.name, row.seconds * 1000);
  const std::string message = clean_text(row.message, message_bytes_max);
  const TestState state = state_of(row);
  if (state != TestState::passed && !message.empty()) {
    clear_progress();
    out_ << fmt::format("{}:{}: {}\n", row.file, row.line, message);
  }
  switch (state) {
    case TestState::passed:
      line("[       OK ]", "32", name);
      break;
    case TestState::failed:
      line("[  FAILED  ]", "31", name);
      break;
    case TestState::skipped:
      line("[  SKIPPED ]", "33", name);
      break;
    case TestState::unchecked:
      line("[ UNCHECKED]", "33", name);
      break;
  }
}

void TestConsole::program_ends() { clear_progress(); }

void TestConsole::idle(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (progress_line_) {
    err_ << "\r\x1b[K" << progress_text(progress) << std::flush;
    progress_shown_ = true;
  } else if (now - last_progress_ >= log_interval) {
    err_ << "progress: " << progress_text(progress) << std::endl;
    last_progress_ = now;
  }
}

}  // namespace gate
