// The `python` device: gate-worker becomes worker.py, inside the sandbox, in a scratch folder of
// its own. An image is a small file that names the source: Python sources import their neighbours.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/device/device.h"

namespace gate {

namespace {

constexpr int facts_ms_max = 60'000;  // importing PyTorch takes seconds on a cold disk
constexpr std::size_t text_bytes_max = 16u << 10;

/// The first `python3` of a person's PATH may be a bare one beside the system's.
std::vector<std::string> interpreters() {
  if (const char* wanted = std::getenv("GATE_PYTHON")) return {wanted};
  return {"python3", "/usr/bin/python3"};
}

std::string worker_script() { return (runtime_folder() / "gate/device/python/worker.py").string(); }

struct PythonState {
  std::string interpreter;
  std::string packages;  // found, not imported
  std::string problem;
};

/// What one interpreter answers, or null with a problem. `--packages` takes a moment; `--facts`
/// imports PyTorch and looks for a GPU, which takes seconds.
nlohmann::json ask(const std::string& interpreter, const char* what, std::string& problem) {
  ProcessOptions options;
  options.timeout_ms = facts_ms_max;
  const auto ended = run_process({interpreter, "-I", worker_script(), what}, options);
  if (!ended) {
    problem = "no Python: " + interpreter + " cannot be started; install python3 and NumPy";
    return nullptr;
  }
  auto facts = nlohmann::json::parse(ended->output, nullptr, false);
  if (ended->exit_code != 0 || !facts.is_object()) {
    problem = clean_text("Python does not start: " + ended->errors, text_bytes_max);
    return nullptr;
  }
  if (facts["numpy"].is_null() && facts["torch"].is_null()) {
    problem = interpreter + " has neither NumPy nor PyTorch; install python3-numpy";
    return nullptr;
  }
  return facts;
}

void find_python(PythonState& state) {
  if (!state.interpreter.empty()) return;
  for (const std::string& interpreter : interpreters()) {
    std::string problem;
    const auto packages = ask(interpreter, "--packages", problem);
    if (packages.is_object()) {
      state.interpreter = interpreter;
      state.packages = packages.dump();
      return;
    }
    if (state.problem.empty()) state.problem = problem;
  }
}

DeviceReply open_python(PythonState& state) {
  find_python(state);
  DeviceReply reply;
  if (state.interpreter.empty()) {
    reply.error = Kind::environment;
    reply.text = state.problem;
  }
  return reply;
}

/// Syntax errors are found here, so that they are the build's and not the first case's.
BuildReply build_python(PythonState& state, const BuildRequest& request) {
  if (const auto opened = open_python(state); opened.error != Kind::pass) {
    return {opened.error, opened.text, false};
  }
  const auto check = run_process(
      {state.interpreter, "-I", "-c",
       "import sys\ncompile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec')",
       request.source});
  if (!check) return {Kind::environment, to_text(check.failure()), false};
  if (check->exit_code != 0) {
    return {Kind::build_failed, clean_text(check->errors, text_bytes_max), false};
  }
  const nlohmann::json image = {{"source", request.source}};
  if (auto written = write_file(request.output, image.dump()); !written) {
    return {Kind::environment, to_text(written.failure()), false};
  }
  return {Kind::pass, {}, true};  // a repeat is cheap beside the call
}

}  // namespace

Device make_python_device() {
  auto state = std::make_shared<PythonState>();
  Device device;
  device.build = [state](const BuildRequest& request) { return build_python(*state, request); };
  device.build_identity = [state] {
    find_python(*state);
    return state->packages;
  };
  device.open = [state] { return open_python(*state); };
  device.facts = [state] {
    std::string problem;
    return ask(state->interpreter, "--facts", problem).dump();
  };
  device.program = [state] {
    return std::vector<std::string>{state->interpreter, "-I", worker_script()};
  };
  return device;
}

}  // namespace gate
