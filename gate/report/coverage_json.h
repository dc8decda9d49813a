// Coverage as JSON, both ways.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/report/report.h"
#include "gate/report/strict_json.h"

namespace gate {

/// With the failure rate that follows from it.
OrderedJson coverage_json(const ReportRow& row);
Coverage read_coverage(StrictObject object);

}  // namespace gate
