// Counters over a report; every name says what it counts: kernels, rows (a kernel's column), tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gate/report/report.h"

namespace gate {

enum class TestState { passed, failed, unchecked, skipped };
TestState state_of(const TestRow& test);

struct Counts {
  std::size_t kernels = 0, kernels_expecting = 0, kernels_as_expected = 0;
  std::size_t rows = 0, rows_clean = 0, rows_illusion = 0, rows_defect = 0, rows_unchecked = 0;
  std::size_t tests = 0, tests_passed = 0, tests_failed = 0, tests_unchecked = 0, tests_skipped = 0;
  std::size_t findings = 0;
};
/// A kernel is as expected iff all its columns are; only kernels with an expectation count there.
Counts count(const Report& report);

}  // namespace gate
