// Commit status: one word and one line.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/text.h"
#include "gate/publish/modes.h"
#include "gate/report/summary.h"

namespace gate {
namespace {

constexpr std::size_t description_bytes_max = 140;

std::string state_of_report(const Report& report) {
  switch (exit_code(report)) {
    case 0:
      return "success";
    case 1:
      return "failure";
    default:
      return "error";
  }
}

}  // namespace

Result<Published> publish_status(const Publication& publication) {
  if (publication.target.head_sha.empty()) return user_failure("no commit is known for a status");
  WriteRequest request;
  request.path = route(publication, "/statuses/" + publication.target.head_sha);
  request.body = {
      {"state", state_of_report(publication.report)},
      {"description", clean_text(summary_line(publication.report), description_bytes_max)},
      {"context", publication.options.status_context}};
  if (!publication.facts.run_url.empty()) request.body["target_url"] = publication.facts.run_url;
  const Reply reply = publication.client.write(request);
  if (!reply.ok()) return failure_of(reply, "set the commit status", "statuses: write");
  return Published{"commit status set: " + state_of_report(publication.report)};
}

}  // namespace gate
