// Finding and running the system's C++ compiler.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cpp_compiler.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/worker/build_time.h"

namespace gate {
namespace {

constexpr std::size_t message_bytes = 12u << 10;

}  // namespace

std::optional<std::filesystem::path> cpp_compiler() {
  const char* path = std::getenv("PATH");
  for (const char* name : {"c++", "g++", "clang++"}) {
    for (const std::string& folder : split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
      const auto candidate = std::filesystem::path(folder) / name;
      if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

std::string cpp_compiler_identity() {
  const auto program = cpp_compiler();
  if (!program) return "none";
  std::error_code error;
  const auto real = std::filesystem::canonical(*program, error);
  struct stat facts {};
  if (error || ::stat(real.c_str(), &facts) != 0) return "unknown";
  return real.string() + " " + std::to_string(facts.st_size) + " " +
         std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

BuildReply compile_cpp(const BuildRequest& request, const std::string& source,
                       const std::vector<std::string>& words) {
  const auto program = cpp_compiler();
  if (!program) return {Kind::environment, "no C++ compiler (c++, g++, clang++) in PATH", false};
  const std::string file = request.output + ".source.cpp";
  if (const auto written = write_file(file, source); !written) {
    return {Kind::environment, to_text(written.failure()), false};
  }
  std::vector<std::string> command = {program->string(), "-std=c++20", "-O2", "-fPIC",
                                      "-shared",         "-pthread",   "-w",  "-Wl,-z,defs"};
  if (!request.dependencies.empty()) {
    command.insert(command.end(), {"-MD", "-MF", request.dependencies});
  }
  for (const std::string& define : request.defines) command.push_back("-D" + define);
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"-o", request.output, file});
  const auto ended = run_process(command, compiler_options(compile_ms_max));
  std::error_code error;
  std::filesystem::remove(file, error);
  if (!ended) return {Kind::environment, to_text(ended.failure()), false};
  if (ended->timed_out) return out_of_time(*ended, "the compiler", compile_ms_max);
  if (ended->exit_code == 0) return {};
  return {Kind::build_failed, clean_text(ended->errors, message_bytes), false};
}

}  // namespace gate
