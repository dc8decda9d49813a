// Which device a kernel runs on, and why one does not: from file pair and device alone.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "gate/worker/loaded_worker.h"
#include "gate/worker/pool.h"

namespace gate {

namespace {

/// Kinds of source each device takes.
struct DeviceSources {
  std::string_view device;
  std::vector<std::string_view> extensions;
};

const std::array<DeviceSources, 4>& device_sources() {
  static const std::array<DeviceSources, 4> table = {{{"emu", {".cu"}},
                                                      {"cuda", {".cu", ".ptx", ".cubin", ".so"}},
                                                      {"host", {".cpp", ".so"}},
                                                      {"python", {".py"}}}};
  return table;
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += " ";
    text += word;
  }
  return text;
}

/// A CUDA device is looked for once in a process: starting a context takes a while.
bool has_cuda() {
  static const bool present = !device_problem("cuda");
  return present;
}

}  // namespace

std::optional<std::string> device_problem(const std::string& device) {
  Image nothing;
  nothing.device = device;
  return LoadedWorker(nothing, SessionOptions{}).probe();
}

std::optional<std::string> not_selected_reason(const KernelSpec& kernel,
                                               const std::string& device) {
  const std::string kind = source_kind(kernel);
  for (const DeviceSources& row : device_sources()) {
    if (row.device != device) continue;
    for (const std::string_view extension : row.extensions) {
      if (extension == kind) return {};
    }
    return "device " + device + " takes " + listed(row.extensions) + ", not " + kind;
  }
  return "no such device: " + device;
}

std::string device_for(const KernelSpec& kernel, const std::string& requested) {
  const std::string kind = source_kind(kernel);
  if (kind == ".cpp") return "host";
  if (kind == ".py") return "python";
  if (kind == ".so") return requested == "cuda" ? "cuda" : "host";
  if (requested != "auto") return requested;
  return has_cuda() ? "cuda" : "emu";
}

}  // namespace gate
