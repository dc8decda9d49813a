// One HTTP exchange through libcurl: no redirects followed, sizes and times bounded, certificates
// checked, proxies from the environment. What to do about an answer is decided elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate {

struct Request {
  std::string method = "GET";
  std::string address;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  std::size_t answer_bytes_max = 32u << 20;
  long timeout_ms = 0;  // 0: the transport's
};

struct Answer {
  int status = 0;                              // 0: no answer, and `problem` says why
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string problem;
  bool too_large = false;
};

struct TransportOptions {
  std::string ca_bundle;    // file; empty: the system's
  bool allow_http = false;  // only where the API itself is http
  long connect_timeout_ms = 10'000;
  long timeout_ms = 30'000;
};

class Transport {
 public:
  static Result<Transport> create(const TransportOptions& options);
  Transport(Transport&&) noexcept;
  Transport& operator=(Transport&&) noexcept;
  ~Transport();
  Answer exchange(const Request& request);

 private:
  struct State;
  explicit Transport(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gate
