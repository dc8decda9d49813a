// Report -> SARIF 2.1.0 for code scanning: where a finding is and what it is called. Alerts are
// matched over time by our fingerprint, so that they survive moved lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/report/report.h"

namespace gate {

struct SarifFacts {
  std::string category;  // unique per matrix entry; empty: illusion-gate/<device>/
};

std::string to_sarif(const Report& report, const SarifFacts& facts = {});

/// A path usable as a place in the repository: relative, plain, without "..". Else gate.toml.
std::string repository_path(const std::string& path);

}  // namespace gate
