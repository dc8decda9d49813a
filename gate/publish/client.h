// GitHub's REST interface: headers, spacing, repeats, paging, downloads. Knows no route.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/publish/clock.h"
#include "gate/publish/transport.h"
#include "gate/report/strict_json.h"

namespace gate {

struct ClientOptions {
  std::string api_url = "https://api.github.com";  // no slash at the end
  std::string server_url = "https://github.com";
  std::string token = {};
  std::string ca_bundle = {};
  long timeout_ms = 30'000;
  std::size_t answer_bytes_max = 32u << 20;  // a page of 100 full comments fits
};

struct Reply {
  int status = 0;  // 0: no answer
  OrderedJson json;
  std::map<std::string, std::string> headers;
  std::string problem;  // empty if and only if it worked
  bool ok() const { return problem.empty(); }
};
/// "cannot <what>: <problem>"; the hint names the missing permission: GitHub's word, else ours.
Failure failure_of(const Reply& reply, const std::string& what, const std::string& permission);

struct WriteRequest {
  std::string method = "POST";
  std::string path;  // below the API, "/repos/…"
  OrderedJson body;
  bool creates_comment = false;  // those notify people: GitHub wants them further apart
  /// Asked before a create is repeated that may have happened: what it made, if so.
  std::function<std::optional<OrderedJson>()> find_done = {};
};

class GithubClient {
 public:
  static Result<GithubClient> create(const ClientOptions& options, Clock clock);

  Reply get(const std::string& path);
  Reply write(const WriteRequest& request);
  /// Every page of a list; more pages than `pages_max` are not asked for.
  Result<std::vector<OrderedJson>> get_pages(const std::string& path, int pages_max = 30);
  /// The file behind a route that answers with a redirect; it is fetched without the token.
  Result<std::string> download(const std::string& path, std::size_t bytes_max);
  Clock& clock() { return clock_; }
  const ClientOptions& options() const { return options_; }

 private:
  GithubClient(ClientOptions options, Clock clock, Transport transport)
      : options_(std::move(options)), clock_(std::move(clock)), transport_(std::move(transport)) {}
  struct Operation {
    std::string method, address, body;
    bool writes = false, creates_comment = false;
    const std::function<std::optional<OrderedJson>()>* find_done = nullptr;
  };
  Reply perform(const Operation& operation);
  Reply follow(const Operation& operation, Reply reply, int hops);
  Answer exchange(const Operation& operation);
  void space_writes(const Operation& operation);
  Answer fetch_plain(const std::string& address, std::size_t bytes_max);

  ClientOptions options_;
  Clock clock_;
  Transport transport_;
  std::optional<std::int64_t> last_write_ms_, last_comment_ms_;
  std::int64_t waited_ms_ = 0;
  std::uint64_t repeats_ = 0;
};

}  // namespace gate
