// Scratch folder, environment, sandbox, exec.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/device/sandbox.h"

namespace gate {

namespace {

namespace fs = std::filesystem;

/// Of the run where the gate gives one: what was compiled stays for the run's next worker.
fs::path given_scratch() {
  const char* given = std::getenv("GATE_SCRATCH");
  std::error_code error;
  return given != nullptr && fs::is_directory(given, error) ? fs::path(given) : fs::path();
}

/// Folders are named by process; a worker that was killed leaves one, the next one removes it.
fs::path make_scratch() {
  if (const fs::path given = given_scratch(); !given.empty()) return given;
  const fs::path all = cache_folder() / "scratch";
  std::error_code error;
  fs::create_directories(all, error);
  for (fs::directory_iterator entry(all, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto process = parse_integer(entry->path().filename().string());
    std::error_code ignored;
    if (process && ::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH) {
      fs::remove_all(entry->path(), ignored);
    }
  }
  const fs::path own = all / std::to_string(::getpid());
  fs::remove_all(own, error);
  fs::create_directory(own, error);
  fs::permissions(own, fs::perms::owner_all, error);
  return error ? fs::path() : own;
}

void set_environment(const fs::path& scratch) {
  for (const char* name : {"HOME", "TMPDIR", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR",
                           "TORCHINDUCTOR_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"}) {
    ::setenv(name, scratch.c_str(), 1);
  }
  ::setenv("OMP_NUM_THREADS", "1", 1);  // workers share the cores
  ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 1);  // deterministic algorithms ask for it
}

}  // namespace

std::string become_program(const std::vector<std::string>& program, const ProgramLink& link) {
  const fs::path scratch = make_scratch();
  if (scratch.empty() || ::chdir(scratch.c_str()) != 0) return "no scratch folder can be made";
  set_environment(scratch);
  std::vector<std::string> arguments = program;
  for (const auto& [flag, value] :
       {std::pair{"--control", link.control}, std::pair{"--memory", link.memory},
        std::pair{"--slots", link.slots}}) {
    arguments.insert(arguments.end(), {flag, std::to_string(value)});
  }
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  for (const int descriptor : {link.control, link.memory}) {
    ::fcntl(descriptor, F_SETFD, ::fcntl(descriptor, F_GETFD) & ~FD_CLOEXEC);
  }
  SandboxOptions options;
  options.may_start_programs = true;
  options.restrict_files = false;
  enter_sandbox(options);
  ::execvp(pointers.front(), pointers.data());
  return program.front() + " cannot be started: " + std::strerror(errno);
}

}  // namespace gate
