// The ways to publish. Each takes the same publication and says what it did; a new one is a
// function and a row of the table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/publish/client.h"
#include "gate/publish/options.h"
#include "gate/publish/target.h"
#include "gate/report/markdown.h"
#include "gate/report/report.h"

namespace gate {

struct Publication {
  const PublishOptions& options;
  const PublishTarget& target;
  const Report& report;
  MarkdownFacts facts;
  GithubClient& client;
};

/// What happened, for the log, and outputs of the step ("comment-url").
struct Published {
  std::string text;
  std::map<std::string, std::string> outputs = {};
};

struct Mode {
  std::string_view name;
  bool from_forks;  // whether results of a fork's run may be published this way
  Result<Published> (*publish)(const Publication& publication);
};
const std::vector<Mode>& all_modes();

Result<Published> publish_comment(const Publication& publication);
Result<Published> publish_check_run(const Publication& publication);
Result<Published> publish_status(const Publication& publication);
Result<Published> publish_sarif(const Publication& publication);
Result<Published> publish_summary(const Publication& publication);
Result<Published> publish_seeds(const Publication& publication);

/// "/repos/<owner>/<name>" and the rest.
std::string route(const Publication& publication, const std::string& rest);

}  // namespace gate
