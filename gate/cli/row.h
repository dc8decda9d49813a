// What was checked of a (kernel, column), as a row of the report with one line per selected test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/cli/check_target.h"
#include "gate/cli/run_selection.h"
#include "gate/report/report.h"

namespace gate {

/// Tests are in the order of `selected.tests`. `date` decides whether known seeds have expired.
ReportRow make_row(const SelectedTarget& selected, TargetResult result, const std::string& date);
/// A row whose tests carry name, place and `kind`, for what never ran.
TestRow blank_test(const SelectedTarget& selected, const PlannedTest& test, Kind kind,
                   const std::string& message);
/// What a green mark on this row does not mean: sentences that several rows may share.
std::vector<std::string> not_shown(const TargetResult& result);

}  // namespace gate
