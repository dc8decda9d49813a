// The client: one operation at a time, writes apart, repeats as retry.h decides.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/client.h"

#include <fmt/format.h>

#include "gate/base/hash.h"
#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/retry.h"

namespace gate {
namespace {

constexpr JsonCaps answer_caps{.text_bytes_max = 32u << 20, .list_max = 1'000'000, .depth_max = 64};
constexpr std::int64_t write_gap_ms = 1000;
constexpr std::int64_t comment_gap_ms = 3000;
constexpr int redirects_max = 2;

/// GitHub's own words about what is wrong: message, then errors[].
std::string message_in(const OrderedJson& json) {
  std::string text;
  const auto add = [&](const OrderedJson& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return;
    text += (text.empty() ? "" : ", ") + object[key].get<std::string>();
  };
  add(json, "message");
  if (json.is_object() && json.contains("errors") && json["errors"].is_array()) {
    for (const OrderedJson& error : json["errors"]) {
      if (error.is_string()) text += ", " + error.get<std::string>();
      for (const char* key : {"resource", "field", "code", "message"}) add(error, key);
    }
  }
  return clean_text(text, 500);
}

std::string header_in(const std::map<std::string, std::string>& headers, const std::string& key) {
  const auto at = headers.find(key);
  return at == headers.end() ? std::string() : at->second;
}

Reply reply_of(Answer answer) {
  Reply reply;
  reply.headers = std::move(answer.headers);
  reply.status = answer.status;
  if (const Result<OrderedJson> json = parse_json(answer.body, answer_caps)) reply.json = *json;
  if (answer.status == 0) {
    reply.problem = answer.problem.empty() ? "no answer" : answer.problem;
  } else if (answer.status >= 400) {
    const std::string message = message_in(reply.json);
    reply.problem = fmt::format("HTTP {}{}{}", answer.status, message.empty() ? "" : ": ", message);
  }
  return reply;
}

/// A cut answer can still carry status 200; it is as good as none.
void distrust_broken_json(Answer& answer) {
  if (answer.status < 200 || answer.status >= 300 || answer.body.empty()) return;
  if (const Result<OrderedJson> json = parse_json(answer.body, answer_caps); !json) {
    answer.status = 0;
    answer.problem = "the answer is not JSON: " + json.failure().problems.front().text;
  }
}

}  // namespace

Failure failure_of(const Reply& reply, const std::string& what, const std::string& permission) {
  const std::string accepted =
      clean_text(header_in(reply.headers, "x-accepted-github-permissions"), 200);
  std::string hint;
  if (reply.status == 401 || reply.status == 403 || reply.status == 404) {
    hint = "does the token have the permission " + (accepted.empty() ? permission : accepted) + "?";
    if (reply.status == 404) hint += " GitHub answers 404 where it hides a 403";
  }
  return machine_failure("cannot " + what + ": " + reply.problem, hint);
}

Result<GithubClient> GithubClient::create(const ClientOptions& options, Clock clock) {
  ClientOptions kept = options;
  for (std::string* base : {&kept.api_url, &kept.server_url}) {
    while (base->ends_with('/')) base->pop_back();  // GitHub answers 404 to a doubled slash
    if (!origin_of(*base)) {
      return user_failure("not an address of http or https: " + clean_text(*base, 200));
    }
  }
  Result<Transport> transport = Transport::create({.ca_bundle = kept.ca_bundle,
                                                   .allow_http = kept.api_url.starts_with("http:"),
                                                   .timeout_ms = kept.timeout_ms});
  if (!transport) return transport.failure();
  return GithubClient(std::move(kept), std::move(clock), *std::move(transport));
}

Answer GithubClient::exchange(const Operation& operation) {
  Request request;
  request.method = operation.method;
  request.address = operation.address;
  request.body = operation.body;
  request.answer_bytes_max = options_.answer_bytes_max;
  request.headers = {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28",
                     "User-Agent: illusion-gate/" GATE_VERSION, "Expect:"};
  if (operation.writes) request.headers.push_back("Content-Type: application/json");
  const bool ours =
      is_below(request.address, options_.api_url) || is_below(request.address, options_.server_url);
  if (ours && !options_.token.empty()) {
    request.headers.push_back("Authorization: Bearer " + options_.token);
  }
  Answer answer = transport_.exchange(request);
  distrust_broken_json(answer);
  return answer;
}

void GithubClient::space_writes(const Operation& operation) {
  if (!operation.writes) return;
  const std::int64_t now = clock_.milliseconds();
  std::int64_t earliest = now;
  if (last_write_ms_) earliest = std::max(earliest, *last_write_ms_ + write_gap_ms);
  if (operation.creates_comment && last_comment_ms_) {
    earliest = std::max(earliest, *last_comment_ms_ + comment_gap_ms);
  }
  if (earliest > now) clock_.wait(earliest - now);
  last_write_ms_ = clock_.milliseconds();
  if (operation.creates_comment) last_comment_ms_ = last_write_ms_;
}

Reply GithubClient::perform(const Operation& operation) {
  RetryHistory history;
  while (true) {
    space_writes(operation);
    Answer answer = exchange(operation);
    history.waited_ms = waited_ms_;
    const double jitter =
        static_cast<double>(stable_hash(operation.address + std::to_string(repeats_++)) >> 11) *
        0x1p-53;
    const RetryDecision decision = decide(answer, history, clock_.unix_seconds(), jitter);
    if (decision.step == RetryDecision::Step::again) {
      waited_ms_ += decision.wait_ms;
      clock_.wait(decision.wait_ms);
    }
    if (decision.perhaps_done && operation.find_done != nullptr && *operation.find_done) {
      if (std::optional<OrderedJson> made = (*operation.find_done)()) {
        return {200, *std::move(made), {}, {}};
      }
    }
    if (decision.step != RetryDecision::Step::again) return reply_of(std::move(answer));
  }
}

/// A renamed repository answers with its new address. It is followed below the API only.
Reply GithubClient::follow(const Operation& operation, Reply reply, int hops) {
  if (!reply.ok() || reply.status < 300 || reply.status >= 400) return reply;
  const std::string target = header_in(reply.headers, "location");
  const bool same_method = operation.method == "GET" || reply.status >= 307;
  if (hops >= redirects_max || !same_method || !is_below(target, options_.api_url)) {
    reply.problem =
        fmt::format("HTTP {}: redirected to an address that is not followed", reply.status);
    return reply;
  }
  Operation next = operation;
  next.address = target;
  return follow(next, perform(next), hops + 1);
}

Reply GithubClient::get(const std::string& path) {
  Operation operation;
  operation.method = "GET";
  operation.address = options_.api_url + path;
  return follow(operation, perform(operation), 0);
}

Reply GithubClient::write(const WriteRequest& request) {
  Operation operation;
  operation.method = request.method;
  operation.address = options_.api_url + request.path;
  operation.body = request.body.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  operation.writes = true;
  operation.creates_comment = request.creates_comment;
  operation.find_done = &request.find_done;
  return follow(operation, perform(operation), 0);
}

}  // namespace gate
