// Invariants of our own code: phrased positively, active in every build, exit code 70.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>
#include <string_view>

namespace gate {

/// Ends the process with exit code 70 and a message naming the caller unless `invariant` holds.
void check(bool invariant, std::string_view meaning,
           std::source_location where = std::source_location::current());

}  // namespace gate
