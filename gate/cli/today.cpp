// The clock, read in one place.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/today.h"

#include <ctime>

namespace gate {

std::string utc_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, format, &parts);
  return {text, length};
}

std::string utc_today() { return utc_now("%Y-%m-%d"); }

}  // namespace gate
