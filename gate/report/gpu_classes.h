// Verdicts side by side, one column per class of GPU; classes that were not run are named as what
// they are: a known gap. Empty where a report names no class.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/report/report.h"

namespace gate {

/// In order of appearance.
std::vector<std::string> gpu_classes(const Report& report);
/// Rows that differ between classes or are not clean come first; at most `rows_max` of them.
std::string gpu_class_markdown(const Report& report, std::size_t rows_max);
std::string gpu_class_text(const Report& report);

}  // namespace gate
