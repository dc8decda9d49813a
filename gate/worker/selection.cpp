// Which device a kernel runs on, and why one does not: from file pair and device alone.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/worker/loaded_worker.h"
#include "gate/worker/pool.h"
#include "gate/worker/worker_process.h"

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

/// What the Python at hand can run, asked once; or why there is none.
struct PythonFacts {
  bool torch = false, triton = false, cuda = false;
  std::string problem;
};

PythonFacts ask_python() {
  PythonFacts facts;
  const auto ended =
      run_process({find_worker_program().string(), "--device", "python", "--facts"}, {});
  const auto json = ended ? nlohmann::json::parse(ended->output, nullptr, false) : nlohmann::json();
  if (!ended || ended->exit_code != 0 || !json.is_object()) {
    facts.problem = ended ? std::string(trim(ended->errors)) : to_text(ended.failure());
    return facts;
  }
  facts.torch = json.contains("torch") && !json["torch"].is_null();
  facts.triton = json.contains("triton") && !json["triton"].is_null();
  facts.cuda = json.value("cuda", false);
  return facts;
}

/// Why this Python cannot run the source, judged by what it imports.
std::optional<std::string> python_reason(const KernelSpec& kernel) {
  static const PythonFacts facts = ask_python();
  if (!facts.problem.empty()) return facts.problem;
  const auto source = read_file(kernel.source);
  if (!source) return {};
  const auto imports = [&source](const std::string& module) {
    return source->find("import " + module) != std::string::npos ||
           source->find("from " + module) != std::string::npos;
  };
  if (imports("triton") && !(facts.triton && facts.cuda)) {
    return "it needs Triton and a CUDA device, and Python here has not both";
  }
  if (imports("torch") && !facts.torch) return "it needs PyTorch, and Python here has none";
  return {};
}

}  // namespace

std::optional<std::string> device_problem(const std::string& device,
                                          const SessionOptions& options) {
  Image nothing;
  nothing.device = device;
  return LoadedWorker(nothing, options).probe();
}

void prepare_worker(const std::string& device, const SessionOptions& options) {
  Image nothing;
  nothing.device = device;
  if (options.stock) LoadedWorker(nothing, options).prepare(1);
}

std::optional<std::string> not_selected_reason(const KernelSpec& kernel,
                                               const std::string& device) {
  const std::string kind = source_kind(kernel);
  for (const DeviceSources& row : device_sources()) {
    if (row.device != device) continue;
    for (const std::string_view extension : row.extensions) {
      if (extension == kind) return device == "python" ? python_reason(kernel) : std::nullopt;
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
