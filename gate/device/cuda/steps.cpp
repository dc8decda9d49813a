// Running the launch steps of a job, with its tensors in the slot or apart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/device/cuda/state.h"

namespace gate {
namespace {

DeviceReply run_step(CudaState& state, const LaunchStep& step, const DevicePlaces& places,
                     CUstream stream) {
  const auto resolved = resolve(step, state.column, places.job);
  DeviceReply reply;
  if (!resolved) {
    reply.error = Kind::launch_failed;
    reply.text = to_text(resolved.failure());
    return reply;
  }
  const CudaCall call{state.driver, state.program, state.entries.at(resolved->entry),
                      *resolved,    places,        stream};
  const CallResult result = call_step(call);
  if (result.error == CUDA_ERROR_OUT_OF_MEMORY && !resolved->host_launcher) {
    return environment_reply(result.text);  // a launcher's own allocations are its fault
  }
  if (result.error != CUDA_SUCCESS) return reply_for(state.driver, result.error, result.text);
  if (result.returned != 0) {
    reply.error = Kind::launch_failed;
    reply.text = "the launcher returned " + std::to_string(result.returned);
  }
  return reply;
}

/// Device memory of the tensors; released when it goes.
class Allocations {
 public:
  explicit Allocations(const Driver& driver) : driver_(driver) {}
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  ~Allocations() {
    for (const CUdeviceptr address : addresses) driver_.release(address);
  }

  CUresult add(const DeviceTensor& tensor) {
    CUdeviceptr address = 0;
    const CUresult error = driver_.allocate(&address, std::max<std::size_t>(tensor.bytes, 1));
    if (error != CUDA_SUCCESS) return error;
    addresses.push_back(address);
    return driver_.copy_to_device(address, tensor.data, tensor.bytes, nullptr);
  }

  std::vector<CUdeviceptr> addresses;

 private:
  const Driver& driver_;
};

}  // namespace

DeviceReply run_steps(CudaState& state, const DevicePlaces& places, CUstream stream) {
  DeviceReply reply;
  for (int call = 0; call < std::max(1, places.job.repeat); ++call) {
    for (const LaunchStep& step : state.launch) {
      reply = run_step(state, step, places, stream);
      if (reply.error != Kind::pass) return reply;
    }
  }
  return reply;
}

DeviceReply run_apart(CudaState& state, const DeviceJob& job) {
  const auto& driver = state.driver;
  Allocations allocations(driver);
  DeviceReply reply;
  CUresult error = CUDA_SUCCESS;
  for (const DeviceTensor& tensor : job.tensors) {
    if (error == CUDA_SUCCESS) error = allocations.add(tensor);
  }
  if (error != CUDA_SUCCESS) reply = environment_reply(error_text(driver, error));
  if (error == CUDA_SUCCESS) {
    reply = run_steps(state, {job, 0, allocations.addresses}, nullptr);
    if (reply.error == Kind::pass) error = driver.synchronize();
    for (std::size_t i = 0; i < job.tensors.size() && error == CUDA_SUCCESS; ++i) {
      const DeviceTensor& tensor = job.tensors[i];
      error = driver.copy_to_host(tensor.data, allocations.addresses[i], tensor.bytes, nullptr);
    }
    if (error == CUDA_SUCCESS) error = driver.synchronize();
    if (reply.error == Kind::pass) reply = reply_for(driver, error, {});
  }
  reply.number = job.number;
  return reply;
}

}  // namespace gate
