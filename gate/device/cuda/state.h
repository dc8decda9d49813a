// What the cuda device keeps between messages: context, loaded image, slots, jobs in flight.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "gate/device/cuda/call.h"

namespace gate {

/// Device side of one slot.
struct SlotPlace {
  CUdeviceptr memory = 0;
  std::size_t bytes = 0;
  std::size_t registered = 0;  // of the slot in host memory, from its start
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr, copied = nullptr;
};

struct InFlight {
  std::uint64_t number = 0;
  SlotPlace* place = nullptr;
};

struct CudaState {
  Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CudaProgram program;
  std::map<std::string, CudaEntry> entries;
  std::vector<LaunchStep> launch;
  std::string column;
  std::map<const std::byte*, SlotPlace> places;
  std::deque<InFlight> in_flight;
  std::deque<DeviceReply> ready;
  bool tensors_apart = false;  // under compute-sanitizer: it knows allocations, not red zones
};

/// Which kind an error is, and whether the context survives it.
DeviceReply reply_for(const Driver& driver, CUresult error, const std::string& text);
/// The machine's fault, in words.
DeviceReply environment_reply(const std::string& text);
/// All launch steps of a job, in order.
DeviceReply run_steps(CudaState& state, const DevicePlaces& places, CUstream stream);
/// A whole job with each tensor in an allocation of its own; waits for its end.
DeviceReply run_apart(CudaState& state, const DeviceJob& job);
/// Loads the image and finds every entry of the column.
DeviceReply load_image(CudaState& state, const LoadRequest& request);

}  // namespace gate
