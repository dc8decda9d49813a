// One walk over /proc/<pid>/stat.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/process_tree.h"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gate/base/files.h"

namespace gate {
namespace {

struct Member {
  pid_t parent = 0;
  char state = '?';
  long ticks = 0;  // its own, and those of children it has waited for
};

/// "12 (name) R 1 …": the name may hold anything.
bool parse_stat(const std::string& text, Member& member) {
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return false;
  std::istringstream fields(text.substr(name_end + 2));
  fields >> member.state >> member.parent;
  constexpr int fields_between = 9;  // pgrp to cmajflt
  std::string skipped;
  for (int i = 0; i < fields_between; ++i) fields >> skipped;
  long user = 0, system = 0, children_user = 0, children_system = 0;
  fields >> user >> system >> children_user >> children_system;
  member.ticks = user + system + children_user + children_system;
  return !fields.fail();
}

std::map<pid_t, Member> all_processes() {
  std::map<pid_t, Member> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    pid_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem != std::errc() || end != name.data() + name.size()) continue;
    Member member;
    const auto text = read_file(entry.path() / "stat");
    if (text && parse_stat(*text, member)) found.emplace(number, member);
  }
  return found;
}

}  // namespace

ProcessTree look_at_tree(pid_t root) {
  const std::map<pid_t, Member> all = all_processes();
  std::multimap<pid_t, pid_t> children;
  for (const auto& [number, member] : all) children.emplace(member.parent, number);
  ProcessTree tree;
  long ticks = 0;
  std::vector<pid_t> open = {root};
  while (!open.empty()) {
    const pid_t number = open.back();
    open.pop_back();
    const auto member = all.find(number);
    if (member == all.end()) continue;
    ticks += member->second.ticks;
    const char state = member->second.state;
    tree.wants_processor = tree.wants_processor || state == 'R' || state == 'D';
    const auto [first, last] = children.equal_range(number);
    for (auto child = first; child != last; ++child) open.push_back(child->second);
  }
  constexpr long milliseconds = 1000;
  tree.processor_time =
      std::chrono::milliseconds(ticks * milliseconds / std::max(1l, ::sysconf(_SC_CLK_TCK)));
  return tree;
}

}  // namespace gate
