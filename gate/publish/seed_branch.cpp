// Seeds of new findings on a branch of their own, by the git data routes: an orphan at first, then
// one commit after the other. Never from pull requests: it needs a right that those must not have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/json_path.h"
#include "gate/publish/modes.h"
#include "gate/report/summary.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr const char* permission = "contents: write";
constexpr int tries_max = 5;
constexpr std::size_t seeds_max = 200;

struct Branch {
  std::string commit, tree;  // empty: there is no such branch yet
};

Result<Branch> read_branch(const Publication& publication) {
  const std::string name = percent_encoded_path(publication.options.seeds_branch);
  const Reply ref = publication.client.get(route(publication, "/git/ref/heads/" + name));
  if (ref.status == 404) return Branch{};
  if (!ref.ok()) return failure_of(ref, "read the seeds branch", permission);
  Branch branch{text_at(ref.json, "/object/sha"), {}};
  if (!is_commit(branch.commit)) return machine_failure("the seeds branch names no commit");
  const Reply commit = publication.client.get(route(publication, "/git/commits/" + branch.commit));
  if (!commit.ok()) return failure_of(commit, "read the seeds branch", permission);
  branch.tree = text_at(commit.json, "/tree/sha");
  return branch;
}

/// seeds/<op>/<kernel>-<fingerprint>[-n].toml for everything that asks for an answer.
OrderedJson tree_entries(const Report& report) {
  OrderedJson entries = OrderedJson::array();
  for (const StandingFinding& each : standing_findings(report)) {
    if (!asks_for_answer(each.standing) || entries.size() >= seeds_max) continue;
    const Seed& seed = each.finding->seed;
    const std::string suffix = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
    entries.push_back({{"path", fmt::format("seeds/{}/{}-{}{}.toml", seed.test_case.op, seed.kernel,
                                            seed.fingerprint, suffix)},
                       {"mode", "100644"},
                       {"type", "blob"},
                       {"content", to_toml(seed)}});
  }
  return entries;
}

Reply post(const Publication& publication, const std::string& rest, OrderedJson body) {
  WriteRequest request;
  request.path = route(publication, rest);
  request.body = std::move(body);
  return publication.client.write(request);
}

Reply move_branch(const Publication& publication, const Branch& branch, const std::string& commit) {
  const std::string& name = publication.options.seeds_branch;
  if (branch.commit.empty()) {
    return post(publication, "/git/refs", {{"ref", "refs/heads/" + name}, {"sha", commit}});
  }
  WriteRequest request;
  request.method = "PATCH";
  request.path = route(publication, "/git/refs/heads/" + percent_encoded_path(name));
  request.body = {{"sha", commit}, {"force", false}};
  return publication.client.write(request);
}

struct Push {
  bool moved = false;  // somebody else pushed in between
  std::string text;
};

Result<Push> push_once(const Publication& publication, const OrderedJson& entries) {
  const Result<Branch> branch = read_branch(publication);
  if (!branch) return branch.failure();
  OrderedJson tree = {{"tree", entries}};
  if (!branch->tree.empty()) tree["base_tree"] = branch->tree;
  const Reply made_tree = post(publication, "/git/trees", tree);
  if (!made_tree.ok()) return failure_of(made_tree, "write the seeds", permission);
  const std::string tree_sha = text_at(made_tree.json, "/sha");
  if (!branch->tree.empty() && tree_sha == branch->tree) {
    return Push{false, "the seeds branch has these seeds already"};
  }
  const OrderedJson parents =
      branch->commit.empty() ? OrderedJson::array() : OrderedJson::array({branch->commit});
  const std::string message =
      fmt::format("{} seed{} of {}", entries.size(), entries.size() == 1 ? "" : "s",
                  publication.target.head_sha.substr(0, 12));
  const Reply commit = post(publication, "/git/commits",
                            {{"message", message}, {"tree", tree_sha}, {"parents", parents}});
  if (!commit.ok()) return failure_of(commit, "commit the seeds", permission);
  const Reply moved = move_branch(publication, *branch, text_at(commit.json, "/sha"));
  if (moved.status == 409 || moved.status == 422) return Push{true, moved.problem};
  if (!moved.ok()) return failure_of(moved, "move the seeds branch", permission);
  return Push{false, fmt::format("{} seeds on branch {}", entries.size(),
                                 publication.options.seeds_branch)};
}

}  // namespace

Result<Published> publish_seeds(const Publication& publication) {
  if (publication.options.seeds_branch.empty()) {
    return user_failure("no branch is named for the seeds", "--seeds-branch NAME");
  }
  if (publication.options.event_name == "pull_request") {
    return user_failure("seeds are not pushed from pull requests",
                        "run it on schedule or after the merge");
  }
  const OrderedJson entries = tree_entries(publication.report);
  if (entries.empty()) return Published{"no new seeds"};
  std::string problem;
  for (int attempt = 0; attempt < tries_max; ++attempt) {
    const Result<Push> push = push_once(publication, entries);
    if (!push) return push.failure();
    if (!push->moved) return Published{push->text};
    problem = push->text;
  }
  return machine_failure("cannot move the seeds branch: " + problem);
}

}  // namespace gate
