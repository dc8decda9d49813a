// Receiving jobs, placing their tensors, reporting what the device says.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/serve.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "gate/worker/slot.h"
#include "gate/worker/wire.h"

namespace gate {

namespace {

constexpr int exit_fine = 0;
constexpr int exit_protocol = 65;  // the gate sent what we do not understand: our bug

/// Maps the shared memory with nothing near it: a kernel that strays far must not hit what happens
/// to lie there. Where so much address space cannot be had, without.
void* map_guarded(int memory, std::size_t bytes) {
  void* reserved = ::mmap(nullptr, bytes + 2 * slot_guard_bytes, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool guarded = reserved != MAP_FAILED;
  void* wanted = guarded ? static_cast<std::byte*>(reserved) + slot_guard_bytes : nullptr;
  return ::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (guarded ? MAP_FIXED : 0),
                memory, 0);
}

class Server {
 public:
  Server(Device& device, const ServeOptions& options)
      : device_(device), options_(options), buffer_(message_bytes_max + 1) {}

  bool map();
  int run();

 private:
  /// Empty when the gate is gone; `wait` false: also when nothing is there.
  std::string_view receive(bool wait);
  template <class Message>
  void send(const Message& message);
  /// False ends the loop.
  bool handle(const ToWorker& message);
  void start(const RunRequest& request);
  /// False when the device is lost: the worker must end.
  bool report_ready(bool wait);
  void report(const DeviceReply& reply);
  std::optional<DeviceJob> place(const RunRequest& request) const;

  Device& device_;
  const ServeOptions& options_;
  std::vector<char> buffer_;
  std::byte* memory_ = nullptr;
  std::size_t slot_bytes_ = 0;
  int outstanding_ = 0;
  bool closed_ = false;
  int exit_code_ = exit_fine;
};

bool Server::map() {
  struct stat facts {};
  if (options_.slots < 1 || ::fstat(options_.memory, &facts) != 0) return false;
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  void* mapped = map_guarded(options_.memory, bytes);
  if (mapped == MAP_FAILED) return false;
  memory_ = static_cast<std::byte*>(mapped);
  slot_bytes_ = bytes / static_cast<std::size_t>(options_.slots);
  return true;
}

std::string_view Server::receive(bool wait) {
  for (;;) {
    const ssize_t got =
        ::recv(options_.control, buffer_.data(), buffer_.size(), wait ? 0 : MSG_DONTWAIT);
    if (got > 0) return {buffer_.data(), static_cast<std::size_t>(got)};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return {};
    closed_ = true;
    return {};
  }
}

template <class Message>
void Server::send(const Message& message) {
  const std::string text = encode(message);
  while (::send(options_.control, text.data(), text.size(), MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    closed_ = true;
    return;
  }
}

int Server::run() {
  while (!closed_) {
    const std::string_view text = receive(outstanding_ == 0);
    const bool idle = text.empty();
    if (!idle) {
      const auto message = parse_to_worker(text);
      if (!message) return exit_protocol;
      if (!handle(*message)) return exit_code_;
    }
    // What is ready is told before the next job begins: fewer are under suspicion if it crashes.
    if (!closed_ && outstanding_ > 0 && !report_ready(idle)) return exit_fine;
  }
  return exit_fine;
}

bool Server::report_ready(bool wait) {
  for (const DeviceReply& reply : device_.finish(wait)) {
    report(reply);
    if (reply.device_lost) return false;
  }
  return true;
}

bool Server::handle(const ToWorker& message) {
  if (const auto* run = std::get_if<RunRequest>(&message)) {
    start(*run);
    return exit_code_ == exit_fine;
  }
  if (const auto* load = std::get_if<LoadRequest>(&message)) {
    const DeviceReply reply = device_.load(*load);
    if (reply.error == Kind::pass) {
      send(Loaded{});
      return true;
    }
    send(Refused{reply.error, reply.text});
  }
  return false;  // bye, or an image that was refused
}

void Server::start(const RunRequest& request) {
  const auto job = place(request);
  if (!job) {
    exit_code_ = exit_protocol;
    return;
  }
  send(Begun{request.job});
  ++outstanding_;
  device_.start(*job);
}

void Server::report(const DeviceReply& reply) {
  --outstanding_;
  send(Finished{reply.number, reply.error, reply.text, reply.kernel_us, reply.device_lost});
}

std::optional<DeviceJob> Server::place(const RunRequest& request) const {
  if (request.slot >= options_.slots) return {};
  std::vector<std::size_t> sizes;
  sizes.reserve(request.tensors.size());
  for (const TensorHeader& tensor : request.tensors) sizes.push_back(tensor.bytes);
  const auto layout = slot_layout(sizes, slot_bytes_);
  if (!layout) return {};
  DeviceJob job;
  job.number = request.job;
  job.slot = memory_ + slot_bytes_ * static_cast<std::size_t>(request.slot);
  job.slot_bytes = layout->bytes;
  job.slot_capacity = slot_bytes_;
  job.integers = request.axes;
  job.attributes = request.attributes;
  job.schedule = request.schedule;
  job.repeat = request.repeat;
  for (const auto& [name, value] : request.attributes) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) job.integers[name] = *integer;
  }
  job.tensors.reserve(request.tensors.size());
  for (std::size_t i = 0; i < request.tensors.size(); ++i) {
    const TensorHeader& tensor = request.tensors[i];
    for (std::size_t d = 0; d < tensor.view.strides.size(); ++d) {
      const std::string key = tensor.name + ".stride(" + std::to_string(d) + ")";
      job.integers[key] = tensor.view.strides[d];
    }
    job.integers[tensor.name + ".offset"] = tensor.view.offset;
    job.tensors.push_back({tensor.name, tensor.role, tensor.dtype, tensor.view,
                           job.slot + layout->offsets[i], tensor.bytes});
  }
  return job;
}

std::string merged(const std::string& facts, const std::string& extra) {
  auto object = nlohmann::json::parse(facts, nullptr, false);
  const auto more = nlohmann::json::parse(extra, nullptr, false);
  if (!object.is_object()) object = nlohmann::json::object();
  if (more.is_object()) object.update(more);
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void send_text(int control, const std::string& text) {
  while (::send(control, text.data(), text.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

}  // namespace

void refuse(int control, Kind kind, const std::string& text) {
  send_text(control, encode(Refused{kind, text}));
}

int serve(Device& device, const ServeOptions& options) {
  Server server(device, options);
  if (!server.map()) {
    refuse(options.control, Kind::environment, "cannot map the shared slots");
    return exit_fine;
  }
  send_text(options.control, encode(Ready{merged(device.facts(), options.facts_extra)}));
  return server.run();
}

}  // namespace gate
