// The emu device of gate-worker: builds with the host compiler, runs jobs on the machine.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "gate/device/device.h"
#include "gate/device/emu/build.h"
#include "gate/device/emu/faults.h"
#include "gate/device/emu/image.h"
#include "gate/device/emu/job.h"
#include "gate/device/emu/machine.h"

namespace gate {

namespace {

struct EmuState {
  LoadedImage image;
  LoadRequest request;
  std::vector<DeviceReply> replies;
};

DeviceReply reply_of(const Failure& failure, Kind kind) {
  DeviceReply reply;
  reply.error = kind;
  reply.text = failure.problems.front().text;
  if (!failure.problems.front().hint.empty()) reply.text += ": " + failure.problems.front().hint;
  return reply;
}

DeviceReply run_job(EmuState& state, const DeviceJob& job) {
  std::vector<ResolvedStep> steps;
  for (const LaunchStep& step : state.request.launch) {
    Result<ResolvedStep> resolved = resolve(step, state.request.column, job);
    if (!resolved) return reply_of(resolved.failure(), Kind::launch_failed);
    steps.push_back(std::move(*resolved));
  }
  DeviceReply reply = run_steps(state.image, steps, job);
  reply.number = job.number;
  return reply;
}

}  // namespace

Device make_emu_device() {
  auto state = std::make_shared<EmuState>();
  Device device;
  device.build = build_emu_image;
  device.open = [] {
    catch_signals();
    return DeviceReply{};
  };
  device.facts = [] { return emu_facts(); };
  device.build_identity = emu_build_identity;
  device.load = [state](const LoadRequest& request) {
    state->request = request;
    if (auto opened = state->image.open(request.image); !opened) {
      return reply_of(opened.failure(), Kind::environment);
    }
    return DeviceReply{};
  };
  device.start = [state](const DeviceJob& job) {
    state->replies.push_back(run_job(*state, job));
    state->replies.back().number = job.number;
  };
  device.finish = [state](bool) { return std::exchange(state->replies, {}); };
  return device;
}

}  // namespace gate
