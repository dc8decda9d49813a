// The date that expiry is compared with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gate {

/// Now in UTC, in a form of strftime.
std::string utc_now(const char* format);
/// YYYY-MM-DD.
std::string utc_today();

}  // namespace gate
