// The fork case: nothing about the pull request is believed that did not come from the API.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/target.h"

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/json_path.h"

namespace gate {
namespace {

constexpr std::int64_t artifact_bytes_max = 20 << 20;

std::string repository_route(const PublishOptions& options) {
  return "/repos/" + options.repository;
}

/// ".github/workflows/a.yml@main" and ".github/workflows/a.yml" are one file.
std::string without_ref(const std::string& path) { return path.substr(0, path.find('@')); }

Result<Done> check_run(const OrderedJson& run, const PublishOptions& options) {
  // A fork can give any workflow our workflow's name; its file and event it cannot choose.
  const std::string path = without_ref(text_at(run, "/path"));
  const std::string event = text_at(run, "/event");
  if (path != options.workflow || event != "pull_request") {
    return user_failure(fmt::format("the run came from {} on {}, not from {} on pull_request",
                                    clean_text(path, 100), clean_text(event, 50), options.workflow),
                        "a fork can reuse a workflow's name: such runs are not published");
  }
  if (!is_commit(text_at(run, "/head_sha"))) return user_failure("the run names no commit");
  return Done{};
}

/// Dependabot's branches are in the repository, but its runs have a fork's read-only token.
bool published_by_itself(const OrderedJson& run, const PublishOptions& options) {
  return text_at(run, "/head_repository/full_name") == options.repository &&
         text_at(run, "/actor/login") != "dependabot[bot]";
}

Result<Done> find_pull_request(const OrderedJson& run, const PublishOptions& options,
                               GithubClient& client, PublishTarget& target) {
  const std::string owner = text_at(run, "/head_repository/owner/login");
  const std::string branch = text_at(run, "/head_branch");
  const Result<std::vector<OrderedJson>> pages = client.get_pages(
      fmt::format("{}/pulls?state=open&per_page=100&head={}:{}", repository_route(options),
                  percent_encoded(owner), percent_encoded(branch)));
  if (!pages) return pages.failure();
  std::size_t found = 0;
  bool moved = false;
  for (const OrderedJson& page : *pages) {
    for (const OrderedJson& pull : page) {
      if (text_at(pull, "/head/sha") != target.head_sha) {
        moved = true;
        continue;
      }
      ++found;
      target.pull_request = integer_at(pull, "/number");
    }
  }
  if (found == 1) return Done{};
  target.pull_request = 0;
  target.no_pull_request = found > 1 ? "several open pull requests have this head"
                           : moved   ? "the head moved on: its newer run will report"
                                     : "no open pull request has this head";
  return Done{};
}

}  // namespace

Result<PublishTarget> find_target(const PublishOptions& options, const Event& event,
                                  GithubClient& client) {
  PublishTarget target;
  target.head_sha = event.head_sha;
  target.ref = event.ref;
  target.run_id = options.run_id;
  target.attempt = options.attempt;
  target.untrusted = options.untrusted || event.head_is_fork;
  target.pull_request = event.pull_request;
  if (event.pull_request == 0) target.no_pull_request = "the event has no pull request";
  if (event.name != "workflow_run") return target;

  target.untrusted = true;
  const Reply run =
      client.get(fmt::format("{}/actions/runs/{}", repository_route(options), event.run_id));
  if (!run.ok()) return failure_of(run, "read the workflow run", "actions: read");
  const Result<Done> ours = check_run(run.json, options);
  if (!ours) return ours.failure();
  target.head_sha = text_at(run.json, "/head_sha");
  target.run_id = std::to_string(event.run_id);
  target.attempt = std::to_string(integer_at(run.json, "/run_attempt"));
  if (published_by_itself(run.json, options)) {
    target.nothing_to_do = "the run was this repository's own and publishes for itself";
    return target;
  }
  const Result<Done> found = find_pull_request(run.json, options, client, target);
  if (!found) return found.failure();
  return target;
}

Result<bool> is_current(GithubClient& client, const PublishOptions& options,
                        const PublishTarget& target) {
  const Reply pull =
      client.get(fmt::format("{}/pulls/{}", repository_route(options), target.pull_request));
  if (!pull.ok()) return failure_of(pull, "read the pull request", "pull-requests: read");
  return text_at(pull.json, "/head/sha") == target.head_sha;
}

Result<std::string> find_artifact(GithubClient& client, const PublishOptions& options,
                                  const PublishTarget& target) {
  const Result<std::vector<OrderedJson>> pages = client.get_pages(fmt::format(
      "{}/actions/runs/{}/artifacts?per_page=100", repository_route(options), target.run_id));
  if (!pages) return pages.failure();
  const std::string with_attempt = options.artifact + "-" + target.attempt;
  std::vector<const OrderedJson*> matches;
  for (const OrderedJson& page : *pages) {
    for (const OrderedJson& artifact : value_at(page, "/artifacts")) {
      const std::string name = text_at(artifact, "/name");
      if (name == options.artifact || name == with_attempt) matches.push_back(&artifact);
    }
  }
  if (matches.size() != 1) {
    return user_failure(fmt::format("the run has {} artifacts named {} or {}, not one",
                                    matches.size(), options.artifact, with_attempt));
  }
  const OrderedJson& artifact = *matches.front();
  const OrderedJson& expired = value_at(artifact, "/expired");
  if (expired.is_boolean() && expired.get<bool>()) return user_failure("the artifact has expired");
  if (integer_at(artifact, "/size_in_bytes") > artifact_bytes_max) {
    return user_failure("the artifact is larger than 20 MB");
  }
  return fmt::format("{}/actions/artifacts/{}/zip", repository_route(options),
                     integer_at(artifact, "/id"));
}

}  // namespace gate
