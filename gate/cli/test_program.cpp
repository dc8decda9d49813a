// GoogleTest registration: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/test_program.h"

#include <gtest/gtest.h>

#include "gate/cli/test_console.h"

namespace gate {
namespace {

/// The one fixture; the body was given when the test was registered.
class PlannedTestFixture : public testing::Test {
 public:
  explicit PlannedTestFixture(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

/// Hands GoogleTest's events to the console.
class Listener : public testing::EmptyTestEventListener {
 public:
  explicit Listener(TestConsole& console) : console_(console) {}

  void OnTestProgramStart(const testing::UnitTest& program) override {
    console_.program_starts(program.test_to_run_count(), program.test_suite_to_run_count());
  }
  void OnTestSuiteStart(const testing::TestSuite& suite) override {
    console_.suite_starts(suite.name(), suite.test_to_run_count());
  }
  void OnTestStart(const testing::TestInfo& test) override {
    console_.test_starts(std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestSuiteEnd(const testing::TestSuite& suite) override {
    console_.suite_ends(suite.name(), suite.test_to_run_count());
  }

 private:
  TestConsole& console_;
};

/// Every flag GoogleTest may have taken from the environment before main, set to what we mean.
void settle_flags() {
  GTEST_FLAG_SET(filter, "*");
  GTEST_FLAG_SET(also_run_disabled_tests, true);  // a kernel may be called DISABLED_…
  GTEST_FLAG_SET(repeat, 1);
  GTEST_FLAG_SET(shuffle, false);
  GTEST_FLAG_SET(fail_fast, false);
  GTEST_FLAG_SET(break_on_failure, false);
  GTEST_FLAG_SET(catch_exceptions, false);
  GTEST_FLAG_SET(throw_on_failure, false);
  GTEST_FLAG_SET(list_tests, false);
  GTEST_FLAG_SET(output, "");
  GTEST_FLAG_SET(stream_result_to, "");
}

/// The state GoogleTest itself gets to know, so that its own counters agree with ours.
void tell_gtest(const TestRow& row) {
  if (row.skipped) {
    GTEST_SKIP() << row.message;
  }
  if (row.kind != Kind::pass) ADD_FAILURE_AT(row.file.c_str(), row.line) << row.message;
}

void register_test(const TestProgram& program, TestConsole& console, std::size_t target,
                   std::size_t test) {
  const SelectedTarget& selected = program.targets[target];
  const auto body = [&program, &console, target, test] {
    program.live.refresh();
    const ReportRow& row = program.background.wait(target, [&] {
      console.idle(program.background.progress());
      program.live.refresh();
    });
    program.live.end(row, target, test);
    console.test_ends(row.tests[test]);
    tell_gtest(row.tests[test]);
  };
  testing::RegisterTest(selected.suite.c_str(), selected.tests[test].name.c_str(), nullptr, nullptr,
                        selected.source_file.c_str(), selected.source_line,
                        [body]() -> PlannedTestFixture* { return new PlannedTestFixture(body); });
}

}  // namespace

void run_tests(const TestProgram& program) {
  if (program.targets.empty()) return;
  int count = 1;
  char name[] = "gate";
  char* arguments[] = {name, nullptr};
  testing::InitGoogleTest(&count, arguments);
  settle_flags();
  TestConsole console(program.out, program.err, program.colour, program.progress_line);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  delete listeners.Release(listeners.default_xml_generator());
  auto* listener = new Listener(console);
  listeners.Append(listener);
  for (std::size_t target = 0; target < program.targets.size(); ++target) {
    for (std::size_t test = 0; test < program.targets[target].tests.size(); ++test) {
      register_test(program, console, target, test);
    }
  }
  // The report decides the exit code: GoogleTest's answer knows neither grey nor expectations.
  [[maybe_unused]] const int gtest_says = RUN_ALL_TESTS();
  delete listeners.Release(listener);
  console.program_ends();
}

}  // namespace gate
