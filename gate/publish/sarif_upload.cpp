// SARIF to code scanning: gzip, base64, then the processing state until it is known.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/publish/encoded.h"
#include "gate/publish/json_path.h"
#include "gate/publish/modes.h"
#include "gate/report/sarif.h"

namespace gate {
namespace {

constexpr const char* permission = "security-events: write";
constexpr std::size_t packed_bytes_max = 10'000'000;  // GitHub: 10 MB

Result<Published> processing(const Publication& publication, const std::string& id) {
  for (const std::int64_t seconds : {5, 10, 20, 40, 80}) {
    publication.client.clock().wait(seconds * 1000);
    const Reply reply = publication.client.get(route(publication, "/code-scanning/sarifs/" + id));
    if (!reply.ok()) return Published{"SARIF uploaded, its state is unknown: " + reply.problem};
    const std::string state = text_at(reply.json, "/processing_status");
    if (state == "complete") return Published{"SARIF processed"};
    if (state != "failed") continue;
    const std::string why = text_at(reply.json, "/errors/0");
    return machine_failure("GitHub could not process the SARIF: " + clean_text(why, 300));
  }
  return Published{"SARIF uploaded, still being processed"};
}

}  // namespace

Result<Published> publish_sarif(const Publication& publication) {
  const PublishTarget& target = publication.target;
  if (target.head_sha.empty() || !target.ref.starts_with("refs/")) {
    return user_failure("no commit and ref are known for the SARIF");
  }
  const std::string sarif = to_sarif(publication.report, {publication.options.category});
  const std::string packed = gzip(sarif);
  if (packed.size() > packed_bytes_max) return user_failure("the SARIF is larger than 10 MB");
  WriteRequest request;
  request.path = route(publication, "/code-scanning/sarifs");
  request.body = {{"commit_sha", target.head_sha},
                  {"ref", target.ref},
                  {"sarif", base64(packed)},
                  {"tool_name", "illusion-gate"}};
  const Reply reply = publication.client.write(request);
  if (!reply.ok()) return failure_of(reply, "upload the SARIF", permission);
  const std::string id = text_at(reply.json, "/id");
  if (id.empty() || id.find_first_not_of("0123456789abcdefABCDEF-") != std::string::npos) {
    return Published{"SARIF uploaded"};
  }
  return processing(publication, id);
}

}  // namespace gate
