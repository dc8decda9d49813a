// Jobs: argument values in memory, entries called, faults worded.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "gate/device/emu/machine.h"
#include "gate/device/serve.h"

namespace gate {

using gate_emu::Ending;

namespace {

Kind kind_of(Ending ending) {
  switch (ending) {
    case Ending::pass:
      return Kind::pass;
    case Ending::crash:
      return Kind::crash;
    case Ending::barrier:
      return Kind::barrier;
    case Ending::out_of_bounds:
      return Kind::out_of_bounds;
    case Ending::launch_failed:
      return Kind::launch_failed;
    case Ending::timeout:
      return Kind::timeout;
    case Ending::unsupported:
      return Kind::unsupported;
    case Ending::nondeterministic:
      return Kind::nondeterministic;
  }
  return Kind::crash;
}

/// Argument values as the entry reads them: an array of pointers to values.
struct Arguments {
  std::vector<std::uint64_t> words;
  std::vector<void*> pointers;
};

Arguments arguments_of(const ResolvedStep& step) {
  Arguments result;
  result.words.reserve(step.arguments.size());
  for (const ResolvedArgument& argument : step.arguments) {
    const auto address = reinterpret_cast<std::uint64_t>(argument.pointer);
    result.words.push_back(argument.is_stream ? 0 : argument.is_pointer ? address : argument.bits);
  }
  for (std::uint64_t& word : result.words) result.pointers.push_back(&word);
  return result;
}

struct StepCall {
  const gate_emu::Entry* entry = nullptr;
  const ResolvedStep* step = nullptr;
  void* arguments = nullptr;
};

int call_kernel(const StepCall& call) {
  const ResolvedStep& step = *call.step;
  const auto clamp = [](std::uint64_t v) {
    return v > 0xffffffffu ? 0xffffffffu : static_cast<unsigned>(v);
  };
  gate_emu::LaunchShape shape{};
  shape.grid = {clamp(step.grid[0]), clamp(step.grid[1]), clamp(step.grid[2])};
  shape.block = {clamp(step.block[0]), clamp(step.block[1]), clamp(step.block[2])};
  shape.shared_bytes = step.shared_bytes;
  return machine().launch(shape, {call.entry->one, call.entry->range, call.arguments});
}

int run_step(void* context) {
  const auto& call = *static_cast<const StepCall*>(context);
  machine().allow_all_shared(!call.step->host_launcher);
  if (!call.step->host_launcher) return call_kernel(call);
  try {
    return call.entry->call(call.arguments);
  } catch (const std::exception& problem) {
    machine().set_fault(
        {Ending::launch_failed, std::string("the launcher threw: ") + problem.what(), false});
  } catch (...) {
    machine().set_fault({Ending::launch_failed, "the launcher threw", false});
  }
  return error_launch_failure;
}

/// Runs one step; the fault it ended with goes to the machine.
void run_entry(const gate_emu::Image& image, const ResolvedStep& step, const DeviceJob& job) {
  Machine& emulator = machine();
  std::vector<DType> pointees;
  for (const ResolvedArgument& argument : step.arguments) {
    const bool tensor = argument.is_pointer && argument.tensor < job.tensors.size();
    pointees.push_back(tensor ? job.tensors[argument.tensor].dtype : argument.dtype);
  }
  const auto entry = find_entry(image, step, pointees);
  if (!entry) {
    emulator.set_fault({Ending::launch_failed, entry.failure().problems.front().text, false});
    return;
  }
  Arguments arguments = arguments_of(step);
  StepCall call{*entry, &step, arguments.pointers.data()};
  const int error = emulator.guarded(run_step, &call);
  if (emulator.fault()) return;
  if (error != 0) {
    const std::string what =
        step.host_launcher ? fmt::format("{} returned error {}", step.entry, error) : step.entry;
    emulator.set_fault({Ending::launch_failed,
                        emulator.note().empty() ? what : what + ": " + emulator.note(), false});
    return;
  }
  if (step.host_launcher && image.here->last_error != 0) {
    emulator.set_fault({Ending::launch_failed, emulator.note(), false});
    return;
  }
  if (const auto damage = emulator.memory().damage()) {
    emulator.set_fault({Ending::out_of_bounds, *damage, false});
  }
}

}  // namespace

namespace {

WatchedJob watched(const DeviceJob& job) {
  WatchedJob memory;
  memory.slot = job.slot;
  memory.slot_bytes = job.slot_capacity;
  for (const DeviceTensor& tensor : job.tensors) {
    WatchedRegion region;
    region.begin = tensor.data;
    region.bytes = tensor.bytes;
    // Workspaces hold what the kernel likes; tensors are used by elements.
    region.granule =
        tensor.role == Role::workspace ? 1 : std::min<std::size_t>(facts(tensor.dtype).bytes, 4);
    region.name = "tensor `" + tensor.name + "`";
    memory.regions.push_back(std::move(region));
  }
  return memory;
}

/// An illegal address in the guard around the slots is an access far outside some tensor: of all,
/// the nearest is named.
std::string stray_text(const DeviceJob& job, const void* address) {
  const auto* at = static_cast<const std::byte*>(address);
  const DeviceTensor* nearest = nullptr;
  std::ptrdiff_t distance = 0;
  for (const DeviceTensor& tensor : job.tensors) {
    const std::ptrdiff_t off = at < tensor.data ? tensor.data - at : at - tensor.data;
    if (nearest != nullptr && off >= distance) continue;
    nearest = &tensor;
    distance = off;
  }
  if (nearest == nullptr || distance >= static_cast<std::ptrdiff_t>(slot_guard_bytes)) return {};
  return fmt::format("access {} bytes {} the start of {}", distance,
                     at < nearest->data ? "before" : "after", nearest->name);
}

}  // namespace

DeviceReply run_steps(const LoadedImage& image, const std::vector<ResolvedStep>& steps,
                      const DeviceJob& job) {
  Machine& emulator = machine();
  const bool shuffled = job.schedule.order == Schedule::Order::shuffled;
  const gate_emu::Image& variant = image.variant(shuffled || image.variant(false).has_volatile);
  emulator.attach(variant, [&image](const void* pc) { return image.place_of(pc); });
  emulator.begin_job(job.schedule, watched(job));
  variant.here->last_error = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const ResolvedStep& step : steps) {
    run_entry(variant, step, job);
    if (emulator.fault()) break;
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  DeviceReply reply;
  reply.kernel_us = took.count();
  reply.text = emulator.note();
  if (emulator.fault()) {
    reply.error = kind_of(emulator.fault()->ending);
    reply.text = emulator.fault()->text;
    reply.device_lost = emulator.fault()->lost;
    const void* bad = emulator.bad_address();
    const std::string stray = bad == nullptr ? std::string() : stray_text(job, bad);
    if (!stray.empty()) {
      reply.error = Kind::out_of_bounds;
      reply.text = stray + ": " + reply.text;
    }
  }
  return reply;
}

}  // namespace gate
