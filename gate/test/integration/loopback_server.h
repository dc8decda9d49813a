// A server on the loopback interface for tests of the GitHub client: answers as told, remembers
// what it was asked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <httplib.h>

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gate/publish/clock.h"

namespace gate {

struct SeenRequest {
  std::string method, path, query, body;
  httplib::Headers headers;
  std::string header(const std::string& key) const {
    const auto at = headers.find(key);
    return at == headers.end() ? std::string() : at->second;
  }
};

class LoopbackServer {
 public:
  using Answering = std::function<void(const SeenRequest&, httplib::Response&)>;

  explicit LoopbackServer(Answering answering) : answering_(std::move(answering)) {
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    };
    server_.Get(".*", handle);
    server_.Post(".*", handle);
    server_.Put(".*", handle);
    server_.Patch(".*", handle);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // A server stopped before it listens would listen for ever.
    while (!server_.is_running()) std::this_thread::yield();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer() {
    server_.stop();
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<SeenRequest> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  std::size_t count(const std::string& method, const std::string& path) const {
    std::size_t number = 0;
    for (const SeenRequest& request : seen()) {
      number += request.method == method && request.path == path ? 1 : 0;
    }
    return number;
  }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) {
    const std::size_t mark = request.target.find('?');
    SeenRequest seen{request.method, request.path,
                     mark == std::string::npos ? "" : request.target.substr(mark + 1), request.body,
                     request.headers};
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(seen);
    }
    answering_(seen, response);
  }

  Answering answering_;
  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<SeenRequest> seen_;
};

/// Time that passes only by waiting.
struct FakeTime {
  std::int64_t milliseconds = 0;
  std::vector<std::int64_t> waits;
  Clock clock() {
    return {[this] { return milliseconds; }, [this] { return 1'700'000'000 + milliseconds / 1000; },
            [this](std::int64_t wait) {
              waits.push_back(wait);
              milliseconds += wait;
            }};
  }
};

}  // namespace gate
