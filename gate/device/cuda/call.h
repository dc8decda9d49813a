// Calling one resolved launch step: a __global__ function by the driver, a function of a built
// library through libffi.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/device/cuda/driver.h"
#include "gate/device/device.h"

namespace gate {

/// Where a loaded entry can be reached.
struct CudaEntry {
  CUfunction function = nullptr;  // modules
  void* host_function = nullptr;  // libraries: launcher, or the kernel's host stub
  bool is_kernel = false;
  bool returns_value = false;  // of a launcher: int or cudaError_t
};

/// A loaded image and what its library exports for launching and error reading.
struct CudaProgram {
  CUmodule module = nullptr;
  int (*last_error)() = nullptr;
  int (*launch)(const void*, const unsigned*, void**, unsigned, void*) = nullptr;
};

/// Where a job's tensors lie on the device: as in the slot, or each in an allocation of its own.
struct DevicePlaces {
  const DeviceJob& job;
  CUdeviceptr base = 0;            // of the slot
  std::vector<CUdeviceptr> apart;  // of each tensor; empty: in the slot

  CUdeviceptr address(const ResolvedArgument& argument) const;
};

struct CudaCall {
  const Driver& driver;
  const CudaProgram& program;
  const CudaEntry& entry;
  const ResolvedStep& step;
  const DevicePlaces& places;
  CUstream stream = nullptr;
};

/// CUDA_SUCCESS or the error; `returned` is what a host launcher returned (0 if void).
struct CallResult {
  CUresult error = CUDA_SUCCESS;
  std::string text;
  long returned = 0;
};
CallResult call_step(const CudaCall& call);

}  // namespace gate
