// Further runs of one input: other schedules where there are any, else the same bytes again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gate/spec/case.h"

namespace gate {

/// Whether a device runs blocks and threads in the order a schedule says.
bool has_schedules(const std::string& device);
/// `count` schedules that differ from the case's own and from each other; deterministic.
std::vector<Schedule> further_schedules(const Case& value, std::size_t count);

}  // namespace gate
