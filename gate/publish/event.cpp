// Event payloads.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/event.h"

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/json_path.h"

namespace gate {
namespace {

constexpr std::size_t payload_bytes_max = 32u << 20;  // GitHub sends at most 25 MB
constexpr JsonCaps payload_caps{
    .text_bytes_max = payload_bytes_max, .list_max = 1'000'000, .depth_max = 64};

void read_pull_request(const OrderedJson& payload, Event& event) {
  event.pull_request = integer_at(payload, "/pull_request/number");
  event.head_sha = text_at(payload, "/pull_request/head/sha");
  event.ref = "refs/pull/" + std::to_string(event.pull_request) + "/head";
  event.head_is_fork = text_at(payload, "/pull_request/head/repo/full_name") !=
                       text_at(payload, "/repository/full_name");
}

Result<Done> read_payload(const OrderedJson& payload, Event& event) {
  if (event.name == "pull_request") {
    read_pull_request(payload, event);
  } else if (event.name == "merge_group") {
    event.head_sha = text_at(payload, "/merge_group/head_sha");
    event.ref = text_at(payload, "/merge_group/head_ref");
  } else if (event.name == "push") {
    event.head_sha = text_at(payload, "/after");
    event.ref = text_at(payload, "/ref");
  } else if (event.name == "workflow_run") {
    event.run_id = integer_at(payload, "/workflow_run/id");
    event.head_sha = text_at(payload, "/workflow_run/head_sha");
    if (event.run_id <= 0) return user_failure("the event names no workflow run");
  } else if (event.name == "pull_request_target") {
    return user_failure("pull_request_target gives a fork's code the repository's rights",
                        "use pull_request, and workflow_run for the comments of forks");
  }
  return Done{};
}

}  // namespace

Result<Event> read_event(const PublishOptions& options) {
  Event event;
  event.name = options.event_name;
  event.head_sha = options.sha;
  event.ref = options.ref;
  if (!options.event_file.empty()) {
    const Result<std::string> text = read_file(options.event_file, payload_bytes_max);
    if (!text) return text.failure();
    const Result<OrderedJson> payload = parse_json(*text, payload_caps);
    if (!payload) return payload.failure();
    const Result<Done> read = read_payload(*payload, event);
    if (!read) return read.failure();
  }
  if (!event.head_sha.empty() && !is_commit(event.head_sha)) {
    return user_failure("the event's commit is not a commit: " + clean_text(event.head_sha, 80));
  }
  return event;
}

}  // namespace gate
