// Launching kernels and calling host launchers with device addresses.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cuda/call.h"

#include <vector>

#include "gate/device/ffi_types.h"

namespace gate {
namespace {

constexpr unsigned shared_without_attribute = 48u * 1024u;

/// Every argument as 8 bytes in which its value stands first: little endian machines only.
std::vector<std::uint64_t> argument_words(const CudaCall& call) {
  std::vector<std::uint64_t> words;
  for (const auto& argument : call.step.arguments) {
    if (argument.is_pointer) {
      words.push_back(call.places.address(argument));
    } else if (argument.is_stream) {
      words.push_back(reinterpret_cast<std::uint64_t>(call.stream));
    } else {
      words.push_back(argument.bits);
    }
  }
  return words;
}

ffi_type* type_of(const ResolvedArgument& argument) {
  const bool pointer = argument.is_pointer || argument.is_stream;
  return pointer ? &ffi_type_pointer : ffi_type_of(argument.dtype);
}

CallResult call_host(const CudaCall& call, std::vector<void*>& pointers) {
  std::vector<ffi_type*> types;
  for (const auto& argument : call.step.arguments) types.push_back(type_of(argument));
  ffi_cif interface {};
  CallResult result;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()),
                   &ffi_type_sint32, types.data()) != FFI_OK) {
    result.error = CUDA_ERROR_NOT_SUPPORTED;
    result.text = "an argument the device cannot pass";
    return result;
  }
  ffi_arg returned = 0;
  if (call.program.last_error != nullptr) call.program.last_error();  // forget older errors
  ffi_call(&interface, FFI_FN(call.entry.host_function), &returned, pointers.data());
  if (call.entry.returns_value) result.returned = static_cast<int>(returned);
  if (call.program.last_error != nullptr) {
    result.error = static_cast<CUresult>(call.program.last_error());
  }
  return result;
}

CallResult launch_kernel(const CudaCall& call, std::vector<void*>& pointers) {
  const auto& step = call.step;
  CallResult result;
  unsigned sizes[6];
  for (int d = 0; d < 3; ++d) {
    // The driver takes 32 bits: a larger value must fail like any other invalid configuration.
    if (step.grid[d] == 0 || step.grid[d] > 0x7fffffffu || step.block[d] == 0 ||
        step.block[d] > 0x7fffffffu) {
      result.error = CUDA_ERROR_INVALID_VALUE;
      return result;
    }
    sizes[d] = static_cast<unsigned>(step.grid[d]);
    sizes[3 + d] = static_cast<unsigned>(step.block[d]);
  }
  const auto shared = static_cast<unsigned>(step.shared_bytes);
  if (call.entry.function == nullptr) {
    result.error = static_cast<CUresult>(
        call.program.launch(call.entry.host_function, sizes, pointers.data(), shared, call.stream));
    return result;
  }
  if (shared > shared_without_attribute) {
    result.error = call.driver.set_function_attribute(
        call.entry.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        static_cast<int>(shared));
    if (result.error != CUDA_SUCCESS) return result;
  }
  result.error =
      call.driver.launch(call.entry.function, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                         sizes[5], shared, call.stream, pointers.data(), nullptr);
  return result;
}

}  // namespace

CUdeviceptr DevicePlaces::address(const ResolvedArgument& argument) const {
  if (apart.empty()) return base + static_cast<std::uint64_t>(argument.pointer - job.slot);
  const DeviceTensor& tensor = job.tensors[argument.tensor];
  return apart[argument.tensor] + static_cast<std::uint64_t>(argument.pointer - tensor.data);
}

CallResult call_step(const CudaCall& call) {
  std::vector<std::uint64_t> words = argument_words(call);
  std::vector<void*> pointers;
  for (auto& word : words) pointers.push_back(&word);
  CallResult result =
      call.step.host_launcher ? call_host(call, pointers) : launch_kernel(call, pointers);
  if (result.error != CUDA_SUCCESS && result.text.empty()) {
    result.text = error_text(call.driver, result.error);
  }
  return result;
}

}  // namespace gate
