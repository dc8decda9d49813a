// Counters and the exit code: both read nothing but the report.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/counts.h"

#include <map>
#include <utility>

namespace gate {
namespace {

void count_test(const TestRow& test, Counts& counts) {
  ++counts.tests;
  switch (state_of(test)) {
    case TestState::passed:
      ++counts.tests_passed;
      break;
    case TestState::failed:
      ++counts.tests_failed;
      break;
    case TestState::unchecked:
      ++counts.tests_unchecked;
      break;
    case TestState::skipped:
      ++counts.tests_skipped;
      break;
  }
}

void count_class(Class klass, Counts& counts) {
  switch (klass) {
    case Class::clean:
      ++counts.rows_clean;
      break;
    case Class::illusion:
      ++counts.rows_illusion;
      break;
    case Class::defect:
      ++counts.rows_defect;
      break;
    case Class::unchecked:
      ++counts.rows_unchecked;
      break;
  }
}

}  // namespace

TestState state_of(const TestRow& test) {
  if (test.skipped) return TestState::skipped;
  switch (colour(test.kind)) {
    case Colour::green:
      return TestState::passed;
    case Colour::red:
      return TestState::failed;
    case Colour::grey:
      return TestState::unchecked;
  }
  return TestState::unchecked;
}

Counts count(const Report& report) {
  Counts counts;
  struct OfKernel {
    bool expecting = false, as_expected = true;
  };
  std::map<std::pair<std::string, std::string>, OfKernel> kernels;
  for (const ReportRow& row : report.rows) {
    ++counts.rows;
    counts.findings += row.findings.size();
    count_class(row.klass, counts);
    OfKernel& kernel = kernels[{row.op, row.kernel}];
    kernel.expecting = kernel.expecting || !row.expected.empty();
    kernel.as_expected = kernel.as_expected && row.as_expected;
    for (const TestRow& test : row.tests) count_test(test, counts);
  }
  counts.kernels = kernels.size();
  for (const auto& [key, kernel] : kernels) {
    if (!kernel.expecting) continue;
    ++counts.kernels_expecting;
    if (kernel.as_expected) ++counts.kernels_as_expected;
  }
  return counts;
}

int exit_code(const Report& report) {
  bool red = report.loosened;
  bool environment = !report.environment_problem.empty();
  bool inconclusive = report.require_all && !report.not_selected.empty();
  bool anything = false;
  for (const ReportRow& row : report.rows) {
    if (row.tests.empty()) inconclusive = true;
    for (const TestRow& test : row.tests) {
      anything = true;
      const TestState state = state_of(test);
      if (state == TestState::failed) red = true;
      if (state != TestState::unchecked) continue;
      (test.kind == Kind::environment ? environment : inconclusive) = true;
    }
  }
  if (red) return 1;
  if (environment) return 3;
  return inconclusive || !anything ? 4 : 0;
}

}  // namespace gate
