// Where the tool is, and exec.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/sanitizer.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace gate {

namespace {

constexpr const char* tool_name = "compute-sanitizer";

}  // namespace

std::string sanitizer_program() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (folder == nullptr) continue;
    const auto path = std::filesystem::path(folder) / "bin" / tool_name;
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path;
  }
  const std::string usual = std::string("/usr/local/cuda/bin/") + tool_name;
  std::error_code error;
  return std::filesystem::exists(usual, error) ? usual : tool_name;
}

std::string become_sanitized(const SanitizerCall& call, const std::vector<std::string>& arguments) {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "this program's own path cannot be read";
  std::vector<std::string> words = {
      sanitizer_program(), "--tool", call.tool, "--target-processes", "all", "--log-file", call.log,
      "--launch-timeout",  "60",     self};
  if (call.tool == "memcheck") {  // what CUDA's calls return is judged already
    words.insert(words.end() - 1, {"--report-api-errors", "no"});
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv(sanitized_variable, "1", 1);
  ::execvp(pointers.front(), pointers.data());
  return words.front() + " cannot be started (" + std::strerror(errno) +
         "); it comes with the CUDA Toolkit";
}

}  // namespace gate
