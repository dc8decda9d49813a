// The `host` device: kernels are functions of a shared object, called through libffi with pointers
// at element 0 and scalars by value. One job at a time.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <chrono>
#include <memory>
#include <utility>

#include "gate/device/cpp_compiler.h"
#include "gate/device/host/host_call.h"

namespace gate {

namespace {

struct HostState {
  LoadRequest request;
  void* image = nullptr;
  std::vector<std::unique_ptr<HostStep>> steps;
  std::vector<DeviceReply> ready;
};

DeviceReply load_image(HostState& state, const LoadRequest& request) {
  state.request = request;
  state.image = ::dlopen(request.image.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (state.image == nullptr) {
    const char* problem = ::dlerror();
    return refusal(Kind::build_failed, problem != nullptr ? problem : "cannot load the image");
  }
  for (const LaunchStep& step : state.request.launch) {
    state.steps.push_back(std::make_unique<HostStep>());
    const std::string& entry = step.entry.at(request.column);
    DeviceReply reply = prepare_step(state.image, step, entry, *state.steps.back());
    if (reply.error != Kind::pass) return reply;
  }
  return {};
}

DeviceReply run_steps(const HostState& state, const DeviceJob& job) {
  for (int call = 0; call < job.repeat; ++call) {
    for (std::size_t i = 0; i < state.steps.size(); ++i) {
      const auto resolved = resolve(state.request.launch[i], state.request.column, job);
      if (!resolved) return refusal(Kind::unsupported, to_text(resolved.failure()));
      DeviceReply reply = call_step(*state.steps[i], *resolved);
      if (reply.error != Kind::pass) return reply;
    }
  }
  return {};
}

void start_job(HostState& state, const DeviceJob& job) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  DeviceReply reply = run_steps(state, job);
  reply.kernel_us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  reply.number = job.number;
  state.ready.push_back(std::move(reply));
}

}  // namespace

Device make_host_device() {
  auto state = std::make_shared<HostState>();
  Device device;
  device.build = build_host_image;
  device.build_identity = cpp_compiler_identity;
  device.open = [] { return DeviceReply{}; };
  device.facts = [] { return std::string("{\"device\": \"host\"}"); };
  device.load = [state](const LoadRequest& request) { return load_image(*state, request); };
  device.start = [state](const DeviceJob& job) { start_job(*state, job); };
  device.finish = [state](bool) { return std::exchange(state->ready, {}); };
  return device;
}

}  // namespace gate
