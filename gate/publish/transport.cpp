// libcurl behind the transport; the only place that includes it.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/transport.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "gate/base/text.h"

namespace gate {
namespace {

struct EasyCleanup {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, ListCleanup>;

constexpr std::size_t headers_max = 200;
constexpr std::size_t header_bytes_max = 16u << 10;

/// What the callbacks fill.
struct Receiving {
  Answer answer;
  std::size_t bytes_max = 0;
};

std::size_t receive_body(char* data, std::size_t, std::size_t size, void* context) {
  auto& receiving = *static_cast<Receiving*>(context);
  if (receiving.answer.body.size() + size > receiving.bytes_max) {
    receiving.answer.too_large = true;
    return 0;  // ends the transfer
  }
  receiving.answer.body.append(data, size);
  return size;
}

std::size_t receive_header(char* data, std::size_t, std::size_t size, void* context) {
  auto& headers = static_cast<Receiving*>(context)->answer.headers;
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) headers.clear();  // of an interim answer, or of a proxy
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() >= headers_max) return size;
  std::string key(trim(line.substr(0, colon)));
  std::transform(key.begin(), key.end(), key.begin(), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  headers[key] = std::string(trim(line.substr(colon + 1)).substr(0, header_bytes_max));
  return size;
}

bool global_start() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return started;
}

HeaderList header_list(const std::vector<std::string>& headers) {
  HeaderList list;
  for (const std::string& header : headers) {
    curl_slist* longer = curl_slist_append(list.get(), header.c_str());
    if (longer == nullptr) return nullptr;
    (void)list.release();
    list.reset(longer);
  }
  return list;
}

void set_method(CURL* handle, const Request& request) {
  if (request.method == "GET") {
    curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
    return;
  }
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                   static_cast<curl_off_t>(request.body.size()));
}

}  // namespace

struct Transport::State {
  std::unique_ptr<CURL, EasyCleanup> handle;
  TransportOptions options;

  /// The connection is kept over a reset, the options are not.
  void prepare(const Request& request) {
    CURL* const curl = handle.get();
    curl_easy_reset(curl);
    const char* const protocols = options.allow_http ? "http,https" : "https";
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, options.connect_timeout_ms);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                     request.timeout_ms > 0 ? request.timeout_ms : options.timeout_ms);
    if (!options.ca_bundle.empty()) {
      curl_easy_setopt(curl, CURLOPT_CAINFO, options.ca_bundle.c_str());
    }
    curl_easy_setopt(curl, CURLOPT_URL, request.address.c_str());
    set_method(curl, request);
  }
};

Transport::Transport(std::unique_ptr<State> state) : state_(std::move(state)) {}
Transport::Transport(Transport&&) noexcept = default;
Transport& Transport::operator=(Transport&&) noexcept = default;
Transport::~Transport() = default;

Result<Transport> Transport::create(const TransportOptions& options) {
  auto state = std::make_unique<State>();
  if (global_start()) state->handle.reset(curl_easy_init());
  if (!state->handle) return machine_failure("libcurl does not start");
  state->options = options;
  return Transport(std::move(state));
}

Answer Transport::exchange(const Request& request) {
  state_->prepare(request);
  CURL* const curl = state_->handle.get();
  const HeaderList headers = header_list(request.headers);
  Receiving receiving;
  receiving.bytes_max = request.answer_bytes_max;
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &receive_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &receiving);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &receive_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &receiving);
  const CURLcode code = curl_easy_perform(curl);
  Answer answer = std::move(receiving.answer);
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    return answer;
  }
  answer.status = 0;
  answer.problem = answer.too_large ? "the answer is too large" : curl_easy_strerror(code);
  return answer;
}

}  // namespace gate
