// Paging and downloads of the client.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/publish/address.h"
#include "gate/publish/client.h"

namespace gate {
namespace {

constexpr int download_tries_max = 3;
constexpr std::int64_t download_wait_ms = 3000;
constexpr long download_timeout_ms = 120'000;

}  // namespace

Result<std::vector<OrderedJson>> GithubClient::get_pages(const std::string& path, int pages_max) {
  std::vector<OrderedJson> pages;
  std::string next = path;
  while (static_cast<int>(pages.size()) < pages_max) {
    Reply reply = get(next);
    if (!reply.ok()) return failure_of(reply, "read a list", "to read it");
    pages.push_back(std::move(reply.json));
    const auto link = next_link(reply.headers["link"]);
    // Only on the same host, and below the API: the rest of the address is then a path of ours.
    if (!link || !is_below(*link, options_.api_url)) break;
    next = link->substr(options_.api_url.size());
  }
  return pages;
}

Answer GithubClient::fetch_plain(const std::string& address, std::size_t bytes_max) {
  Request request;
  request.address = address;
  request.headers = {"User-Agent: illusion-gate/" GATE_VERSION};
  request.answer_bytes_max = bytes_max;
  request.timeout_ms = download_timeout_ms;
  return transport_.exchange(request);
}

Result<std::string> GithubClient::download(const std::string& path, std::size_t bytes_max) {
  std::string problem;
  for (int attempt = 0; attempt < download_tries_max; ++attempt) {
    if (attempt > 0) clock_.wait(download_wait_ms);
    Operation operation;
    operation.method = "GET";
    operation.address = options_.api_url + path;
    Reply link = perform(operation);  // a fresh link each time: it lives for a minute
    if (!link.ok()) return failure_of(link, "download an artifact", "actions: read");
    const std::string target = link.headers["location"];
    if (link.status < 300 || !origin_of(target)) {
      return machine_failure("cannot download an artifact: no redirect to its file");
    }
    if (target.starts_with("http:") && !options_.api_url.starts_with("http:")) {
      return machine_failure("cannot download an artifact: redirected to plain http");
    }
    Answer answer = fetch_plain(target, bytes_max);
    if (answer.status == 200) return std::move(answer.body);
    if (answer.too_large) {
      return user_failure(fmt::format("the artifact is larger than {} bytes", bytes_max));
    }
    problem = answer.status == 0 ? answer.problem : fmt::format("HTTP {}", answer.status);
  }
  return machine_failure("cannot download an artifact: " + problem);
}

}  // namespace gate
