// The worker protocol: messages of the control socket as values, and their JSON forms. Parsing is
// strict on both sides; a message that does not fit is the sender's fault and never more than text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gate/base/expression.h"
#include "gate/base/result.h"
#include "gate/spec/case.h"
#include "gate/tensor/tensor.h"
#include "gate/worker/requests.h"

namespace gate {

/// Largest message on the socket; texts are cut so that messages stay below it.
inline constexpr std::size_t message_bytes_max = 64u << 10;
inline constexpr std::size_t message_text_max = 16u << 10;

/// A tensor as the `run` message describes it; its place in the slot follows from `bytes`.
struct TensorHeader {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  View view;
  std::size_t bytes = 0;
  bool operator==(const TensorHeader&) const = default;
};

struct RunRequest {
  std::uint64_t job = 0;
  int slot = 0;
  std::vector<TensorHeader> tensors;
  IntegerValues axes;
  std::map<std::string, Scalar> attributes;
  Schedule schedule;
  int repeat = 1;
  bool operator==(const RunRequest&) const = default;
};

struct Bye {};

using ToWorker = std::variant<LoadRequest, RunRequest, Bye>;

struct Ready {
  std::string facts;  // JSON text of the device
};
struct Loaded {};
struct Refused {
  Kind kind = Kind::environment;
  std::string text;
};
struct Begun {
  std::uint64_t job = 0;
};
struct Finished {
  std::uint64_t job = 0;
  Kind error = Kind::pass;
  std::string text;
  double kernel_us = 0;
  bool device_lost = false;
};

using FromWorker = std::variant<Ready, Loaded, Refused, Begun, Finished>;

/// JSON text of a message; longer than message_bytes_max only for a LoadRequest or RunRequest
/// that cannot be cut, which the sender has to check.
std::string encode(const LoadRequest& message);
std::string encode(const RunRequest& message);
std::string encode(const Bye& message);
std::string encode(const Ready& message);
std::string encode(const Loaded& message);
std::string encode(const Refused& message);
std::string encode(const Begun& message);
std::string encode(const Finished& message);

/// The inverse. A failure says what does not fit; nothing else can happen, whatever the bytes.
Result<ToWorker> parse_to_worker(std::string_view text);
Result<FromWorker> parse_from_worker(std::string_view text);

/// Builder requests travel over stdin and stdout of `gate-worker --build`.
std::string encode(const BuildRequest& request);
std::string encode(const BuildReply& reply);
Result<BuildRequest> parse_build_request(std::string_view text);
Result<BuildReply> parse_build_reply(std::string_view text);

std::string_view name(Role role);
std::string_view name(Schedule::Order order);
std::string_view name(LaunchArgument::What what);

}  // namespace gate
