// gate doctor: which devices work on this machine, and what is missing for the others.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "gate/base/process.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/sandbox_probe.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/worker/pool.h"
#include "gate/worker/worker_process.h"

namespace gate {
namespace {

constexpr int exit_environment = 3;
const std::vector<std::string> all_devices = {"host", "emu", "cuda", "python"};

void write_fact(std::ostream& out, const std::string& name, const std::string& value) {
  out << fmt::format("  {:<10} {}\n", name, value);
}

std::string first_line(const std::vector<std::string>& command) {
  const auto ran = run_process(command, ProcessOptions{.timeout_ms = 10'000});
  if (!ran) return "not found";
  if (ran->exit_code != 0) return "does not run: " + clean_text(trim(ran->errors), 200);
  return clean_text(ran->output.substr(0, ran->output.find('\n')), 200);
}

void write_surroundings(std::ostream& out) {
  const std::filesystem::path runtime = runtime_folder();
  const std::filesystem::path worker = program_folder() / "gate-worker";
  write_fact(out, "program", (program_folder() / "gate").string() + ", version " GATE_VERSION);
  write_fact(out, "worker",
             std::filesystem::exists(worker) ? worker.string()
                                             : "missing beside the program: " + worker.string());
  write_fact(out, "runtime",
             runtime.empty() ? "missing: the folder `runtime` of the build" : runtime.string());
  write_fact(out, "cache", cache_folder().string());
  const char* compiler = std::getenv("CXX");
  write_fact(out, "compiler", first_line({compiler == nullptr ? "c++" : compiler, "--version"}));
  write_fact(out, "git", first_line({"git", "--version"}));
}

/// What the CUDA device builds with, and what is lost without it.
void write_cuda_tools(std::ostream& out) {
  const auto asked = run_process({find_worker_program().string(), "--device", "cuda", "--tools"},
                                 ProcessOptions{.timeout_ms = 10'000});
  const auto tools =
      asked ? nlohmann::json::parse(asked->output, nullptr, false) : nlohmann::json();
  if (!tools.is_object()) return;
  const std::map<std::string, std::string> losses = {
      {"nvrtc", "no .cu kernel can be built for cuda; install the CUDA Toolkit or set CUDA_HOME"},
      {"nvcc", "host launchers, and kernels with headers of the host, cannot be built for cuda"},
      {"compute-sanitizer", "--sanitizer has no effect"}};
  for (const auto& [tool, loss] : losses) {
    const std::string found = tools.value(tool, "");
    write_fact(out, "  " + tool, found.empty() ? "missing: " + loss : clean_text(found, 200));
  }
}

/// Only runners that start GPU containers have one; the Action refuses older ones.
void write_toolkit(std::ostream& out) {
  const std::string line = first_line({"nvidia-ctk", "--version"});
  const std::string version = toolkit_version(line);
  if (version.empty()) return write_fact(out, "toolkit", "nvidia-ctk: " + line);
  write_fact(
      out, "toolkit",
      "NVIDIA Container Toolkit " + version +
          (toolkit_is_new_enough(version) ? "" : ": too old for untrusted kernels (1.17.8)"));
}

/// Exit code of --sandbox: every probe must hold, but for a root that is writable on purpose.
int write_sandbox(std::ostream& out, bool writable_root) {
  bool all = true;
  out << "\nThis sandbox:\n";
  for (const Probe& probe : probe_sandbox()) {
    const bool excused = writable_root && probe.name == read_only_root;
    const char* const word = probe.holds ? "ok" : excused ? "excused" : "MISSING";
    out << fmt::format("  {:<20} {:<8} {}\n", probe.name, word, probe.found);
    all = all && (probe.holds || excused);
  }
  return all ? 0 : exit_environment;
}

}  // namespace

int doctor_verb(const Invocation& invocation) {
  std::string wanted;
  Arguments flags;
  flags.option("--device", wanted);
  bool sandbox = false, writable_root = false;
  flags.flag("--sandbox", sandbox);
  flags.flag("--writable-root", writable_root);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  std::vector<std::string> devices = all_devices;
  if (!wanted.empty()) {
    if (std::find(devices.begin(), devices.end(), wanted) == devices.end()) {
      return report_failure(user_failure("unknown device: " + clean_text(wanted, 100),
                                         "one of: " + join(devices, " ")),
                            invocation.err);
    }
    devices = {wanted};
  }
  invocation.out << "This machine:\n";
  write_surroundings(invocation.out);
  write_toolkit(invocation.out);
  const int sandboxed = sandbox ? write_sandbox(invocation.out, writable_root) : 0;
  invocation.out << "\nDevices:\n";
  bool any = false;
  for (const std::string& device : devices) {
    const auto problem = device_problem(device);
    any = any || !problem;
    write_fact(invocation.out, device, problem ? "does not work: " + *problem : "works");
    if (device == "cuda") write_cuda_tools(invocation.out);
  }
  invocation.out << std::flush;
  return any ? sandboxed : exit_environment;
}

}  // namespace gate
