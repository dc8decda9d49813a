// Loading a built image: a module by the driver, a library from a memfd, and their entries.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gate/base/files.h"
#include "gate/device/cuda/image.h"
#include "gate/device/cuda/state.h"

namespace gate {

DeviceReply reply_for(const Driver& driver, CUresult error, const std::string& text) {
  DeviceReply reply;
  reply.text = text.empty() ? error_text(driver, error) : text;
  switch (error) {
    case CUDA_SUCCESS:
      reply.text.clear();
      return reply;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_FAILED:
      reply.error = Kind::crash;
      reply.device_lost = true;
      return reply;
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      reply.error = Kind::timeout;
      reply.device_lost = true;
      return reply;
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_UNKNOWN:
      reply.error = Kind::environment;
      reply.device_lost = true;
      return reply;
    case CUDA_ERROR_NOT_SUPPORTED:
      reply.error = Kind::unsupported;
      return reply;
    default:
      reply.error = Kind::launch_failed;
      return reply;
  }
}

DeviceReply environment_reply(const std::string& text) {
  DeviceReply reply;
  reply.error = Kind::environment;
  reply.text = text;
  return reply;
}

namespace {

/// dlopen wants a file: a memfd needs nothing writable.
void* open_library(const std::string& bytes) {
  const int descriptor = memfd_create("gate-image", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(descriptor, bytes.data() + written, bytes.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return written == bytes.size() ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
}

DeviceReply load_library(CudaState& state, const CudaImage& image, const LaunchStep& step,
                         CudaEntry& entry) {
  static void* library = nullptr;  // one image a worker
  if (library == nullptr) library = open_library(image.bytes);
  if (library == nullptr) {
    const char* words = dlerror();
    return environment_reply(std::string("the library cannot be loaded: ") + (words ? words : "?"));
  }
  state.program.last_error = reinterpret_cast<int (*)()>(dlsym(library, "gate_last_error"));
  state.program.launch =
      reinterpret_cast<decltype(state.program.launch)>(dlsym(library, "gate_launch"));
  const std::string& name = image.symbols.at(step.entry.at(state.column));
  void* symbol = dlsym(library, name.c_str());
  DeviceReply reply;
  if (symbol == nullptr || (entry.is_kernel && state.program.launch == nullptr)) {
    reply.error = Kind::build_failed;
    reply.text = "no function '" + name + "' in the library";
    return reply;
  }
  const std::string prefix = "gate_entry_";
  const bool indirect = name.rfind(prefix, 0) == 0;
  if (indirect) {
    const std::string returns = "gate_returns_" + name.substr(prefix.size());
    const auto returns_value = reinterpret_cast<int (*)()>(dlsym(library, returns.c_str()));
    entry.returns_value = returns_value != nullptr && returns_value() != 0;
  }
  entry.host_function =
      indirect ? const_cast<void*>(reinterpret_cast<const void* (*)()>(symbol)()) : symbol;
  return reply;
}

DeviceReply load_entry(CudaState& state, const CudaImage& image, const LaunchStep& step) {
  const auto found = step.entry.find(state.column);
  DeviceReply reply;
  if (found == step.entry.end() || !image.symbols.contains(found->second)) {
    reply.error = Kind::build_failed;
    reply.text = "the image has no entry for column " + state.column;
    return reply;
  }
  CudaEntry& entry = state.entries[found->second];
  entry.is_kernel = !step.grid.empty();
  if (image.form == CudaImage::Form::library) return load_library(state, image, step, entry);
  auto& driver = state.driver;
  CUresult error = CUDA_SUCCESS;
  if (state.program.module == nullptr) {
    error = driver.load_module(&state.program.module, image.bytes.c_str());
  }
  if (error == CUDA_SUCCESS) {
    error = driver.function(&entry.function, state.program.module,
                            image.symbols.at(found->second).c_str());
  }
  if (error == CUDA_SUCCESS) return reply;
  if (error == CUDA_ERROR_OUT_OF_MEMORY) return environment_reply(error_text(driver, error));
  reply = reply_for(driver, error, {});
  if (reply.error != Kind::environment) reply.error = Kind::build_failed;
  if (error == CUDA_ERROR_NOT_FOUND) {
    reply.text = "no __global__ function '" + image.symbols.at(found->second) + "' in the image";
  }
  return reply;
}

}  // namespace

DeviceReply load_image(CudaState& state, const LoadRequest& request) {
  const auto bytes = read_file(request.image, 1u << 30);
  if (!bytes) return environment_reply(to_text(bytes.failure()));
  const auto image = parse_cuda_image(*bytes);
  if (!image) return environment_reply("damaged image in the build cache: " + request.image);
  state.column = request.column;
  state.launch = request.launch;
  for (const auto& step : request.launch) {
    if (auto reply = load_entry(state, *image, step); reply.error != Kind::pass) return reply;
  }
  return {};
}

}  // namespace gate
