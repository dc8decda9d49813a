// Locations relative to the running program and to the person's environment.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/runtime.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "gate/base/process.h"

namespace gate {

namespace {

constexpr int levels_max = 4;  // build/<preset>/gate/test/<program> is the deepest

std::filesystem::path from_environment(const char* name, const char* below) {
  const char* value = std::getenv(name);
  // XDG: relative paths are invalid and must be ignored.
  if (value == nullptr || value[0] != '/') return {};
  return std::filesystem::path(value) / below;
}

/// Images are loaded from the cache, so nobody else may be able to place files in it.
bool make_private(const std::filesystem::path& folder) {
  if (folder.empty()) return false;
  std::error_code error;
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
  ::mkdir(folder.c_str(), 0700);
  struct stat state {};
  if (::lstat(folder.c_str(), &state) != 0 || !S_ISDIR(state.st_mode)) return false;
  if (state.st_uid != ::geteuid()) return false;
  constexpr mode_t writable_by_others = 0022;
  if ((state.st_mode & writable_by_others) != 0 && ::chmod(folder.c_str(), 0700) != 0) return false;
  return ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

}  // namespace

std::filesystem::path runtime_folder() {
  std::filesystem::path folder = program_folder();
  for (int level = 0; level < levels_max && !folder.empty(); ++level) {
    std::error_code error;
    if (std::filesystem::is_directory(folder / "runtime" / "gate", error))
      return folder / "runtime";
    folder = folder.parent_path();
  }
  return {};
}

std::filesystem::path cache_folder() {
  std::vector<std::filesystem::path> choices;
  std::error_code error;
  if (const char* chosen = std::getenv("GATE_CACHE"); chosen != nullptr && *chosen != '\0') {
    // Resolved here, because make_private trusts no link.
    choices.push_back(std::filesystem::weakly_canonical(chosen, error));
  }
  choices.push_back(from_environment("XDG_CACHE_HOME", "illusion-gate"));
  choices.push_back(from_environment("HOME", ".cache/illusion-gate"));
  const auto temporary = std::filesystem::temp_directory_path(error);
  const std::string name = "illusion-gate-" + std::to_string(::geteuid());
  if (!error) choices.push_back(temporary / name);
  for (const auto& choice : choices) {
    if (make_private(choice)) return choice;
  }
  // Somebody else holds that name: a fresh folder, which the next run will not find again.
  std::string fresh = (temporary / (name + ".XXXXXX")).string();
  return ::mkdtemp(fresh.data()) == nullptr ? std::filesystem::path()
                                            : std::filesystem::path(fresh);
}

}  // namespace gate
