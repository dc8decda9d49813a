// Opening libcuda and libnvrtc and filling the tables of their entry points.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cuda/driver.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace gate {
namespace {

/// Looks symbols up one after another and remembers the first that is missing.
class SymbolReader {
 public:
  explicit SymbolReader(void* library) : library_(library) {}

  template <class Function>
  void read(Function& function, const char* symbol) {
    function = reinterpret_cast<Function>(dlsym(library_, symbol));
    if (function == nullptr && missing_.empty()) missing_ = symbol;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

bool is_folder(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

void read_device_functions(SymbolReader& reader, Driver& driver) {
  reader.read(driver.init, "cuInit");
  reader.read(driver.driver_version, "cuDriverGetVersion");
  reader.read(driver.device_count, "cuDeviceGetCount");
  reader.read(driver.device, "cuDeviceGet");
  reader.read(driver.device_name, "cuDeviceGetName");
  reader.read(driver.device_attribute, "cuDeviceGetAttribute");
  reader.read(driver.device_memory, "cuDeviceTotalMem_v2");
  reader.read(driver.retain_context, "cuDevicePrimaryCtxRetain");
  reader.read(driver.context_flags, "cuDevicePrimaryCtxSetFlags_v2");
  reader.read(driver.set_context, "cuCtxSetCurrent");
  reader.read(driver.synchronize, "cuCtxSynchronize");
  reader.read(driver.error_name, "cuGetErrorName");
  reader.read(driver.error_string, "cuGetErrorString");
}

void read_work_functions(SymbolReader& reader, Driver& driver) {
  reader.read(driver.load_module, "cuModuleLoadData");
  reader.read(driver.unload_module, "cuModuleUnload");
  reader.read(driver.function, "cuModuleGetFunction");
  reader.read(driver.set_function_attribute, "cuFuncSetAttribute");
  reader.read(driver.launch, "cuLaunchKernel");
  reader.read(driver.allocate, "cuMemAlloc_v2");
  reader.read(driver.release, "cuMemFree_v2");
  reader.read(driver.register_host, "cuMemHostRegister_v2");
  reader.read(driver.unregister_host, "cuMemHostUnregister");
  reader.read(driver.copy_to_device, "cuMemcpyHtoDAsync_v2");
  reader.read(driver.copy_to_host, "cuMemcpyDtoHAsync_v2");
  reader.read(driver.create_stream, "cuStreamCreate");
  reader.read(driver.synchronize_stream, "cuStreamSynchronize");
  reader.read(driver.create_event, "cuEventCreate");
  reader.read(driver.record_event, "cuEventRecord");
  reader.read(driver.query_event, "cuEventQuery");
  reader.read(driver.wait_event, "cuEventSynchronize");
  reader.read(driver.elapsed, "cuEventElapsedTime");
}

}  // namespace

std::optional<std::string> load_driver(Driver& driver) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return "no CUDA driver: libcuda.so.1 cannot be opened; install the NVIDIA driver, or in a "
           "container start it with --gpus and NVIDIA_DRIVER_CAPABILITIES=compute,utility";
  }
  SymbolReader reader(library);
  read_device_functions(reader, driver);
  read_work_functions(reader, driver);
  if (!reader.missing().empty()) {
    return "the CUDA driver is too old: it lacks " + reader.missing() +
           "; CUDA 13 needs driver 580 or newer";
  }
  return std::nullopt;
}

std::string error_text(const Driver& driver, CUresult result) {
  const char* name = nullptr;
  const char* words = nullptr;
  if (driver.error_name != nullptr) driver.error_name(result, &name);
  if (driver.error_string != nullptr) driver.error_string(result, &words);
  return std::string(name != nullptr ? name : "CUDA error " + std::to_string(result)) +
         (words != nullptr ? std::string(": ") + words : std::string());
}

std::string toolkit_folder() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) folders.emplace_back(value);
  }
  folders.insert(folders.end(), {"/usr/local/cuda", "/usr/local/cuda-13.0", "/usr/local/cuda-13",
                                 "/opt/cuda", "/usr/lib/cuda"});
  for (const auto& folder : folders) {
    if (is_folder(folder + "/include")) return folder;
  }
  return {};
}

std::optional<std::string> load_nvrtc(Nvrtc& nvrtc) {
  const std::string toolkit = toolkit_folder();
  std::vector<std::string> names;
  for (const char* version : {"13", "12", "11.2"}) {
    names.push_back(std::string("libnvrtc.so.") + version);
    if (!toolkit.empty()) {
      names.push_back(toolkit + "/lib64/libnvrtc.so." + version);
      names.push_back(toolkit + "/targets/x86_64-linux/lib/libnvrtc.so." + version);
    }
  }
  void* library = nullptr;
  for (const auto& name : names) {
    if (library == nullptr) library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    return "no NVRTC: libnvrtc.so cannot be opened; install the CUDA Toolkit (13 preferred) or set "
           "CUDA_HOME";
  }
  SymbolReader reader(library);
  reader.read(nvrtc.version, "nvrtcVersion");
  reader.read(nvrtc.create, "nvrtcCreateProgram");
  reader.read(nvrtc.destroy, "nvrtcDestroyProgram");
  reader.read(nvrtc.add_name, "nvrtcAddNameExpression");
  reader.read(nvrtc.compile, "nvrtcCompileProgram");
  reader.read(nvrtc.log_size, "nvrtcGetProgramLogSize");
  reader.read(nvrtc.log, "nvrtcGetProgramLog");
  reader.read(nvrtc.cubin_size, "nvrtcGetCUBINSize");
  reader.read(nvrtc.cubin, "nvrtcGetCUBIN");
  reader.read(nvrtc.lowered_name, "nvrtcGetLoweredName");
  if (!reader.missing().empty()) return "NVRTC is too old: it lacks " + reader.missing();
  return std::nullopt;
}

}  // namespace gate
