// The pull request comment: ours is found by author and first line, edited in place, and created
// only where there is something to say.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/publish/json_path.h"
#include "gate/publish/modes.h"
#include "gate/report/summary.h"

namespace gate {
namespace {

constexpr const char* permission = "pull-requests: write";

bool is_ours(const OrderedJson& comment, const Publication& publication) {
  // The author too: anybody can write our first line.
  return text_at(comment, "/user/login") == publication.options.bot &&
         text_at(comment, "/body").starts_with(comment_marker(publication.facts.comment_id));
}

/// Our newest comment, or null.
Result<OrderedJson> find_ours(const Publication& publication) {
  const Result<std::vector<OrderedJson>> pages = publication.client.get_pages(
      route(publication,
            fmt::format("/issues/{}/comments?per_page=100", publication.target.pull_request)));
  if (!pages) return pages.failure();
  OrderedJson newest;
  for (const OrderedJson& page : *pages) {
    for (const OrderedJson& comment : page) {
      if (!is_ours(comment, publication)) continue;
      if (integer_at(comment, "/id") > integer_at(newest, "/id")) newest = comment;
    }
  }
  return newest;
}

bool is_worth_creating(const Publication& publication) {
  const bool failed = exit_code(publication.report) != 0;
  switch (publication.options.comment_policy) {
    case CommentPolicy::always:
      return true;
    case CommentPolicy::failures:
      return failed;
    case CommentPolicy::changes: {
      const StandingCounts counts = count_standings(publication.report);
      return failed ||
             counts.fresh + counts.regressed + counts.flaky + counts.known + counts.preexisting +
                     counts.fixed >
                 0 ||
             !publication.report.policy_notes.empty();
    }
    case CommentPolicy::off:
      break;
  }
  return false;
}

Published published(const std::string& what, const OrderedJson& comment) {
  const std::string address = text_at(comment, "/html_url");
  return {what + " " + address, {{"comment-url", address}}};
}

Result<Published> edit(const Publication& publication, const OrderedJson& comment,
                       const std::string& body) {
  if (text_at(comment, "/body") == body) return published("comment is as it should be:", comment);
  WriteRequest request;
  request.method = "PATCH";
  request.path = route(publication, fmt::format("/issues/comments/{}", integer_at(comment, "/id")));
  request.body = {{"body", body}};
  const Reply reply = publication.client.write(request);
  if (!reply.ok()) return failure_of(reply, "edit the comment", permission);
  return published("comment updated:", reply.json);
}

Result<Published> create(const Publication& publication, const std::string& body) {
  WriteRequest request;
  request.path =
      route(publication, fmt::format("/issues/{}/comments", publication.target.pull_request));
  request.body = {{"body", body}};
  request.creates_comment = true;
  request.find_done = [&]() -> std::optional<OrderedJson> {
    const Result<OrderedJson> made = find_ours(publication);
    if (!made || made->is_null()) return std::nullopt;
    return *made;
  };
  const Reply reply = publication.client.write(request);
  if (!reply.ok()) return failure_of(reply, "create the comment", permission);
  return published("comment created:", reply.json);
}

}  // namespace

Result<Published> publish_comment(const Publication& publication) {
  const PublishTarget& target = publication.target;
  if (publication.options.comment_policy == CommentPolicy::off) {
    return Published{"no comment: switched off"};
  }
  if (target.pull_request == 0) return Published{"no comment: " + target.no_pull_request};
  const Result<OrderedJson> ours = find_ours(publication);
  if (!ours) return ours.failure();
  if (ours->is_null() && !is_worth_creating(publication)) {
    return Published{"no comment: nothing to say, and none to update"};
  }
  // Last, so that little time is left for the head to move.
  const Result<bool> current = is_current(publication.client, publication.options, target);
  if (!current) return current.failure();
  if (!*current) return Published{"no comment: the head moved on, its newer run will report"};
  const std::string body = to_comment(publication.report, publication.facts);
  return ours->is_null() ? create(publication, body) : edit(publication, *ours, body);
}

}  // namespace gate
