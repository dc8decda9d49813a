// The run as events, one JSON object a line, for programs that follow it: gate run --jsonl. The
// form is fixed by schema/events.schema.json. Order: run_started, not_selected…, then per (kernel,
// column) row, finding…, test…; score…, run_ended. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/report/report.h"

namespace gate {

/// `head` is the report before anything ran; `tests` how many are selected.
std::string start_events(const Report& head, std::size_t tests);
/// A (kernel, column) that was checked, and its findings.
std::string row_events(const ReportRow& row);
std::string test_event(const ReportRow& row, const TestRow& test);
/// A score per kernel, and how the run ended.
std::string end_events(const Report& report);

}  // namespace gate
