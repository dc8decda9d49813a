// Sentences for a row's tests: a finding, a fixed-shape oracle's answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/explain/finding.h"
#include "gate/report/report.h"

namespace gate {

/// The text behind its kind, unless it opens with it already.
std::string with_kind(Kind kind, const std::string& text);
/// Message, body and properties of a red test from its finding.
void describe_finding(const Finding& finding, TestRow& row);
/// "passed 5 draws", or why not.
std::string fixed_shape_text(const FixedShapeResult& rule);

}  // namespace gate
