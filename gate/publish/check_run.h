// Check runs as values: the request that creates one, and those that add annotations to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/report/markdown.h"
#include "gate/report/report.h"
#include "gate/report/strict_json.h"

namespace gate {

struct CheckRunFacts {
  std::string name, head_sha, external_id;
  MarkdownFacts markdown;
};

inline constexpr std::size_t annotations_per_request = 50;  // more: 422
inline constexpr std::size_t annotations_max = 500;

/// The first creates the check run, every further one updates it with 50 more annotations.
std::vector<OrderedJson> check_run_payloads(const Report& report, const CheckRunFacts& facts);

}  // namespace gate
