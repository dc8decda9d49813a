// What gate-worker asks of a device: build, load, start jobs, finish jobs. Plain functions in a
// struct, one maker per device folder; worker_main.cpp holds the table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"
#include "gate/spec/kernel_spec.h"
#include "gate/worker/requests.h"

namespace gate {

/// One tensor where it lies in the shared slot. `data` is element 0 of the storage; red zones of
/// `red_zone_bytes` lie before and after it, inside the slot.
struct DeviceTensor {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  View view;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

struct DeviceJob {
  std::uint64_t number = 0;
  std::vector<DeviceTensor> tensors;  // inputs, outputs, workspaces
  std::byte* slot = nullptr;          // the whole slot, to be placed and copied back as it is
  std::size_t slot_bytes = 0;         // used part
  std::size_t slot_capacity = 0;      // all of it, the same for every job
  IntegerValues integers;             // axes, integer attributes, "x.stride(0)", "x.offset"
  std::map<std::string, Scalar> attributes;
  Schedule schedule;
  int repeat = 1;  // calls on the same memory, one after the other
};

struct DeviceReply {
  std::uint64_t number = 0;
  Kind error = Kind::pass;  // crash, timeout, barrier, launch_failed, unsupported …
  std::string text;
  double kernel_us = 0;
  bool device_lost = false;  // sticky error: the worker must end
};

struct Device {
  std::function<BuildReply(const BuildRequest&)> build;
  std::function<DeviceReply()> open;                    // environment problem or pass
  std::function<std::string()> facts;                   // JSON object
  std::function<DeviceReply(const LoadRequest&)> load;  // refused: kind and text
  std::function<void(const DeviceJob&)> start;
  std::function<std::vector<DeviceReply>(bool wait)> finish;  // replies of started jobs
  /// Compiler and architecture as text, part of the cache key; empty function: none.
  std::function<std::string()> build_identity;
  /// If given, this program serves the jobs in gate-worker's place, with the same descriptors,
  /// inside the sandbox, in a scratch folder of its own.
  std::function<std::vector<std::string>()> program;
};

Device make_host_device();
Device make_emu_device();
Device make_reference_device();  // plug-ins of references, not kernels
Device make_python_device();
Device make_cuda_device();  // only where CUDA headers were found at build time

/// A launch step with every expression evaluated for one job.
struct ResolvedArgument {
  bool is_pointer = false;
  std::byte* pointer = nullptr;  // element (view offset) 0 of the tensor, host address
  std::size_t tensor = 0;        // its index in DeviceJob::tensors, if a pointer
  DType dtype = DType::i32;
  std::uint64_t bits = 0;  // scalar value in its dtype, low bytes
  bool is_stream = false;
};
struct ResolvedStep {
  std::string entry;
  bool host_launcher = false;
  std::uint64_t grid[3] = {1, 1, 1};
  std::uint64_t block[3] = {1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<ResolvedArgument> arguments;
};
/// Problem text if an expression cannot be evaluated (the schema allowed a case it should not).
Result<ResolvedStep> resolve(const LaunchStep& step, const std::string& column,
                             const DeviceJob& job);

}  // namespace gate
