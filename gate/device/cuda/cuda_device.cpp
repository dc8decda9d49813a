// The `cuda` device: one context, one stream and device buffer per slot, jobs in flight.
// A slot is copied to device memory as it lies, red zones and all, run, and copied back, so that
// the gate sees every byte that the kernel changed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "gate/device/cuda/compile.h"
#include "gate/device/cuda/state.h"
#include "gate/device/sanitizer.h"

namespace gate {
namespace {

constexpr std::size_t registered_min = 1u << 20;

/// GATE_DEVICE_INDEX is set by the gate for this worker alone.
int wanted_device() {
  const char* text = std::getenv("GATE_DEVICE_INDEX");
  return text != nullptr ? std::atoi(text) : 0;
}

DeviceReply open_device(CudaState& state) {
  if (const auto problem = load_driver(state.driver)) return environment_reply(*problem);
  auto& driver = state.driver;
  CUresult error = driver.init(0);
  int count = 0;
  if (error == CUDA_SUCCESS) error = driver.device_count(&count);
  if (error == CUDA_SUCCESS && wanted_device() >= count) {
    return environment_reply("no CUDA device " + std::to_string(wanted_device()) + ": " +
                             std::to_string(count) + " found");
  }
  if (error == CUDA_SUCCESS) error = driver.device(&state.device, wanted_device());
  if (error == CUDA_SUCCESS) {
    // Spinning costs a core and gives the latency that small cases need.
    driver.context_flags(state.device, CU_CTX_SCHED_SPIN);
    error = driver.retain_context(&state.context, state.device);
  }
  if (error == CUDA_SUCCESS) error = driver.set_context(state.context);
  if (error != CUDA_SUCCESS) return environment_reply(error_text(driver, error));
  return {};
}

std::string device_facts(const CudaState& state) {
  char name[256] = "";
  int driver_version = 0, major = 0, minor = 0, count = 0;
  std::size_t memory = 0;
  state.driver.device_name(name, sizeof name, state.device);
  state.driver.driver_version(&driver_version);
  state.driver.device_count(&count);
  state.driver.device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, state.device);
  state.driver.device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, state.device);
  state.driver.device_memory(&memory, state.device);
  return nlohmann::json{{"device", "cuda"},
                        {"name", name},
                        {"count", count},
                        {"cuda_driver", driver_version},
                        {"architecture", "sm_" + std::to_string(major) + std::to_string(minor)},
                        {"memory_mib", memory >> 20}}
      .dump();
}

/// Copies are asynchronous only from registered memory; without it they still work. At least as
/// much as is copied, since a copy from memory that is registered in part is refused.
void register_slot(const Driver& driver, SlotPlace& place, const DeviceJob& job) {
  if (place.registered >= job.slot_bytes) return;
  if (place.registered > 0) driver.unregister_host(job.slot);
  const std::size_t wanted = std::max(registered_min, std::bit_ceil(job.slot_bytes));
  place.registered = std::min(wanted, job.slot_capacity);
  driver.register_host(job.slot, place.registered, 0);
}

CUresult make_place(const Driver& driver, SlotPlace& place, const DeviceJob& job) {
  CUresult error = CUDA_SUCCESS;
  if (place.stream == nullptr) {
    // Ordered with the legacy default stream, where launchers without a stream argument run.
    error = driver.create_stream(&place.stream, CU_STREAM_DEFAULT);
    if (error == CUDA_SUCCESS) error = driver.create_event(&place.begin, CU_EVENT_DEFAULT);
    if (error == CUDA_SUCCESS) error = driver.create_event(&place.end, CU_EVENT_DEFAULT);
    if (error == CUDA_SUCCESS) {
      error = driver.create_event(&place.copied, CU_EVENT_DISABLE_TIMING);
    }
  }
  register_slot(driver, place, job);
  if (error == CUDA_SUCCESS && place.bytes < job.slot_bytes) {
    if (place.memory != 0) driver.release(place.memory);
    place.bytes = job.slot_bytes;
    error = driver.allocate(&place.memory, place.bytes);
    if (error != CUDA_SUCCESS) place.memory = 0, place.bytes = 0;
  }
  return error;
}

void start_job(CudaState& state, const DeviceJob& job) {
  auto& driver = state.driver;
  if (state.tensors_apart) {
    state.ready.push_back(run_apart(state, job));
    return;
  }
  SlotPlace& place = state.places[job.slot];
  DeviceReply reply;
  CUresult error = make_place(driver, place, job);
  if (error == CUDA_ERROR_OUT_OF_MEMORY)
    reply = environment_reply(error_text(driver, error));
  else if (error != CUDA_SUCCESS)
    reply = reply_for(driver, error, {});
  if (error == CUDA_SUCCESS) {
    error = driver.copy_to_device(place.memory, job.slot, job.slot_bytes, place.stream);
    if (error == CUDA_SUCCESS) driver.record_event(place.begin, place.stream);
    // Nothing of the kernel has run yet: a copy that fails is the machine's fault.
    reply = error == CUDA_SUCCESS ? run_steps(state, {job, place.memory, {}}, place.stream)
                                  : environment_reply(error_text(driver, error));
  }
  if (reply.error != Kind::pass) {
    reply.number = job.number;
    state.ready.push_back(std::move(reply));
    return;
  }
  driver.record_event(place.end, place.stream);
  error = driver.copy_to_host(job.slot, place.memory, job.slot_bytes, place.stream);
  if (error == CUDA_SUCCESS) error = driver.record_event(place.copied, place.stream);
  if (error != CUDA_SUCCESS) {
    reply = reply_for(driver, error, {});
    reply.number = job.number;
    state.ready.push_back(std::move(reply));
    return;
  }
  state.in_flight.push_back({job.number, &place});
}

/// Jobs finish in the order of their start wherever they share an engine: ask the oldest first.
std::vector<DeviceReply> finish_jobs(CudaState& state, bool wait) {
  std::vector<DeviceReply> replies(state.ready.begin(), state.ready.end());
  state.ready.clear();
  while (!state.in_flight.empty()) {
    const InFlight job = state.in_flight.front();
    const bool must_wait = wait && replies.empty();
    const CUresult error = must_wait ? state.driver.wait_event(job.place->copied)
                                     : state.driver.query_event(job.place->copied);
    if (error == CUDA_ERROR_NOT_READY) break;
    DeviceReply reply = reply_for(state.driver, error, {});
    reply.number = job.number;
    float milliseconds = 0;
    if (error == CUDA_SUCCESS &&
        state.driver.elapsed(&milliseconds, job.place->begin, job.place->end) == CUDA_SUCCESS) {
      reply.kernel_us = milliseconds * 1000.0;
    }
    replies.push_back(std::move(reply));
    state.in_flight.pop_front();
  }
  return replies;
}

}  // namespace

Device make_cuda_device() {
  auto state = std::make_shared<CudaState>();
  state->tensors_apart = std::getenv(sanitized_variable) != nullptr;
  Device device;
  device.build = build_cuda;
  device.build_identity = cuda_build_identity;
  device.open = [state] { return open_device(*state); };
  device.facts = [state] { return device_facts(*state); };
  device.load = [state](const LoadRequest& request) { return load_image(*state, request); };
  device.start = [state](const DeviceJob& job) { start_job(*state, job); };
  device.finish = [state](bool wait) { return finish_jobs(*state, wait); };
  return device;
}

}  // namespace gate
