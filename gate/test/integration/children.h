// The children of a process, as /proc tells: whom a test that kills workers aims at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <fstream>
#include <string>
#include <vector>

#include "gate/base/text.h"

namespace gate {

struct Child {
  pid_t process = 0;
  long cpu_ticks = 0;  // in user mode
};

/// Running children of `parent` whose name in /proc/PID/stat is `wanted`, as "(gate-worker)".
inline std::vector<Child> children_of(pid_t parent, const std::string& wanted) {
  std::vector<Child> children;
  DIR* folder = ::opendir("/proc");
  while (const dirent* entry = ::readdir(folder)) {
    const auto process = parse_integer(entry->d_name);
    if (!process) continue;
    std::ifstream file("/proc/" + std::string(entry->d_name) + "/stat");
    std::string number, name, state, its_parent;
    file >> number >> name >> state >> its_parent;
    if (name == wanted && its_parent == std::to_string(parent)) {
      std::string skipped;
      for (int field = 5; field < 14; ++field) file >> skipped;
      Child child{static_cast<pid_t>(*process)};
      file >> child.cpu_ticks;
      children.push_back(child);
    }
  }
  ::closedir(folder);
  return children;
}

}  // namespace gate
