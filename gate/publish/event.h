// What the workflow's event says about the commit and the pull request. The payload is written by
// GitHub, but words inside it (branches, titles) are anybody's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gate/base/result.h"
#include "gate/publish/options.h"

namespace gate {

struct Event {
  std::string name;
  std::int64_t pull_request = 0;  // 0: none
  std::string head_sha;           // the commit that results are about
  std::string ref;                // SARIF: refs/heads/x, refs/pull/N/head
  std::int64_t run_id = 0;        // workflow_run: of the run that finished
  bool head_is_fork = false;      // pull_request
};

Result<Event> read_event(const PublishOptions& options);

}  // namespace gate
