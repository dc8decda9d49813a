// Parts of the JSON report that events carry too: one form of a finding, wherever it is read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/report/report.h"
#include "gate/report/strict_json.h"

namespace gate {

/// Text as JSON may hold it: valid UTF-8 without control characters, of bounded length.
std::string json_text(const std::string& text);
OrderedJson text_or_null_json(const std::string& text);
OrderedJson finding_json(const Finding& finding);
OrderedJson counts_json(const Report& report);

}  // namespace gate
