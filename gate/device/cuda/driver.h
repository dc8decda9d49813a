// The CUDA driver and NVRTC, opened at run time: gate-worker starts without either installed.
// Types and constants come from the toolkit's headers, functions from the libraries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <optional>
#include <string>

namespace gate {

/// Entry points of libcuda.so.1 that the device uses; all set after a successful load.
struct Driver {
  decltype(&::cuInit) init = nullptr;
  decltype(&::cuDriverGetVersion) driver_version = nullptr;
  decltype(&::cuDeviceGetCount) device_count = nullptr;
  decltype(&::cuDeviceGet) device = nullptr;
  decltype(&::cuDeviceGetName) device_name = nullptr;
  decltype(&::cuDeviceGetAttribute) device_attribute = nullptr;
  decltype(&::cuDeviceTotalMem) device_memory = nullptr;
  decltype(&::cuDevicePrimaryCtxRetain) retain_context = nullptr;
  decltype(&::cuDevicePrimaryCtxSetFlags) context_flags = nullptr;
  decltype(&::cuCtxSetCurrent) set_context = nullptr;
  decltype(&::cuCtxSynchronize) synchronize = nullptr;
  decltype(&::cuModuleLoadData) load_module = nullptr;
  decltype(&::cuModuleUnload) unload_module = nullptr;
  decltype(&::cuModuleGetFunction) function = nullptr;
  decltype(&::cuFuncSetAttribute) set_function_attribute = nullptr;
  decltype(&::cuLaunchKernel) launch = nullptr;
  decltype(&::cuMemAlloc) allocate = nullptr;
  decltype(&::cuMemFree) release = nullptr;
  decltype(&::cuMemHostRegister) register_host = nullptr;
  decltype(&::cuMemHostUnregister) unregister_host = nullptr;
  decltype(&::cuMemcpyHtoDAsync) copy_to_device = nullptr;
  decltype(&::cuMemcpyDtoHAsync) copy_to_host = nullptr;
  decltype(&::cuStreamCreate) create_stream = nullptr;
  decltype(&::cuStreamSynchronize) synchronize_stream = nullptr;
  decltype(&::cuEventCreate) create_event = nullptr;
  decltype(&::cuEventRecord) record_event = nullptr;
  decltype(&::cuEventQuery) query_event = nullptr;
  decltype(&::cuEventSynchronize) wait_event = nullptr;
  decltype(&::cuEventElapsedTime) elapsed = nullptr;
  decltype(&::cuGetErrorName) error_name = nullptr;
  decltype(&::cuGetErrorString) error_string = nullptr;
};

/// Nothing and a filled table, or why the driver cannot be used and what to do about it.
std::optional<std::string> load_driver(Driver& driver);
/// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
std::string error_text(const Driver& driver, CUresult result);

/// Entry points of libnvrtc.
struct Nvrtc {
  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcCreateProgram) create = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy = nullptr;
  decltype(&::nvrtcAddNameExpression) add_name = nullptr;
  decltype(&::nvrtcCompileProgram) compile = nullptr;
  decltype(&::nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) log = nullptr;
  decltype(&::nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) cubin = nullptr;
  decltype(&::nvrtcGetLoweredName) lowered_name = nullptr;
};

std::optional<std::string> load_nvrtc(Nvrtc& nvrtc);
/// Folder of the CUDA Toolkit (CUDA_HOME, CUDA_PATH, /usr/local/cuda …), empty if there is none.
std::string toolkit_folder();

}  // namespace gate
