// Looking for the parts of the toolkit.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cuda/tools.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gate/base/text.h"
#include "gate/device/cuda/driver.h"

namespace gate {

namespace {

/// In the toolkit's folder, else on PATH.
std::string find_program(const std::string& name) {
  std::vector<std::string> folders;
  if (const std::string toolkit = toolkit_folder(); !toolkit.empty()) {
    folders.push_back(toolkit + "/bin");
  }
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path != nullptr ? path : "", ':')) {
    folders.push_back(folder);
  }
  for (const std::string& folder : folders) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string nvrtc_version() {
  Nvrtc nvrtc;
  int major = 0, minor = 0;
  if (load_nvrtc(nvrtc) || nvrtc.version(&major, &minor) != NVRTC_SUCCESS) return {};
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

std::string cuda_tools() {
  return nlohmann::json{{"nvrtc", nvrtc_version()},
                        {"nvcc", find_program("nvcc")},
                        {"compute-sanitizer", find_program("compute-sanitizer")}}
      .dump();
}

}  // namespace gate
