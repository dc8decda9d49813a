// Where results are published: the commit, and the pull request as GitHub itself names it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gate/publish/client.h"
#include "gate/publish/event.h"

namespace gate {

struct PublishTarget {
  std::int64_t pull_request = 0;  // 0: none, and `no_pull_request` says why
  std::string no_pull_request;
  std::string head_sha, ref;
  std::string run_id, attempt;  // of the run that produced the results
  bool untrusted = false;
  std::string nothing_to_do;  // if not empty: publish nothing at all, by design
};

/// For workflow_run this asks GitHub which file and event the run came from, and whose head it was;
/// a run that is not a pull request run of our workflow is refused.
Result<PublishTarget> find_target(const PublishOptions& options, const Event& event,
                                  GithubClient& client);
/// Whether the pull request still is at that commit: a moved head belongs to a newer run.
Result<bool> is_current(GithubClient& client, const PublishOptions& options,
                        const PublishTarget& target);
/// The run's artifact that holds the results, by its API path.
Result<std::string> find_artifact(GithubClient& client, const PublishOptions& options,
                                  const PublishTarget& target);

}  // namespace gate
