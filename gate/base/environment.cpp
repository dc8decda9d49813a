// What surrounds our process: its environment variables and its own place.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "gate/base/process.h"

namespace gate {

namespace {

// Set for the test runner, coverage or loader around us, and meant for nobody below us.
constexpr std::array<std::string_view, 5> scrubbed_prefixes = {"GTEST_", "TEST", "GCOV_",
                                                               "LLVM_PROFILE_", "LD_DEBUG"};
constexpr std::array<std::string_view, 5> scrubbed_names = {"RC_PARAMS", "XML_OUTPUT_FILE",
                                                            "LD_PRELOAD", "LD_AUDIT", "LD_PROFILE"};

bool is_scrubbed(std::string_view name) {
  for (const std::string_view prefix : scrubbed_prefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const std::string_view exact : scrubbed_names) {
    if (name == exact) return true;
  }
  return false;
}

}  // namespace

void scrub_environment() {
  std::vector<std::string> names;  // collected first: unsetenv moves the entries
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view assignment = *entry;
    const std::string_view name = assignment.substr(0, assignment.find('='));
    if (is_scrubbed(name)) names.emplace_back(name);
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());
}

std::filesystem::path program_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : program.parent_path();
}

}  // namespace gate
