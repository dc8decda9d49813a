// What a container of ours must look like from within, and what it does look like. Read from the
// kernel's own files and tried out, not from what the engine promised.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate {

struct Probe {
  std::string name;
  bool holds = false;
  std::string found;  // one line
};

/// Every probe, in a fixed order. A writable root is a failed probe of that name.
std::vector<Probe> probe_sandbox();

inline constexpr std::string_view read_only_root = "read-only root";

/// "1.17.8" and "1.18.0-rc.1" are new enough, "1.17.7" and "" are not: older toolkits let crafted
/// images out (CVE-2025-23266, CVE-2025-23267).
bool toolkit_is_new_enough(const std::string& version);
/// First version number in the output of `nvidia-ctk --version`, or empty.
std::string toolkit_version(const std::string& output);

}  // namespace gate
