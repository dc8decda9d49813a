// Landlock and seccomp by their system calls: no library, and no failure where the kernel is older
// than a rule. Constants newer than the headers of Debian 12 are spelled here.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/sandbox.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "gate/device/system_calls.h"

namespace gate {

namespace {

struct RulesetAttributes {
  std::uint64_t files = 0;    // since version 1
  std::uint64_t network = 0;  // 4
  std::uint64_t scopes = 0;   // 6
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

constexpr std::uint64_t write_file = 1u << 1;
constexpr std::uint64_t change_folders = 0x1FF0;  // remove_dir (bit 4) to make_sym (bit 12)
constexpr std::uint64_t refer = 1u << 13;         // version 2
constexpr std::uint64_t truncate = 1u << 14;      // version 3
constexpr std::uint64_t bind_and_connect_tcp = 3;
constexpr std::uint64_t abstract_sockets_and_signals = 3;
constexpr int query_version = 1;
constexpr int path_beneath = 1;

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  PathRule rule;
  rule.allowed = rights;
  rule.folder = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.folder < 0) return;
  ::syscall(SYS_landlock_add_rule, ruleset, path_beneath, &rule, 0);
  ::close(rule.folder);
}

void allow_writing(int ruleset, const std::filesystem::path& path) {
  allow(ruleset, path, write_file);
}

/// Device files that a driver opens again later; nothing else can be written.
void allow_devices(int ruleset) {
  allow_writing(ruleset, "/dev/null");
  allow_writing(ruleset, "/dev/zero");
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().starts_with("nvidia")) {
      allow_writing(ruleset, entry->path());
    }
  }
}

/// The version that holds now, 0 without Landlock.
int restrict_files() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, query_version);
  if (version < 1) return 0;
  RulesetAttributes attributes;
  attributes.files = write_file | change_folders;
  if (version >= 2) attributes.files |= refer;
  if (version >= 3) attributes.files |= truncate;
  std::size_t size = sizeof attributes.files;
  if (version >= 4) {
    attributes.network = bind_and_connect_tcp;
    size += sizeof attributes.network;
  }
  if (version >= 6) {
    attributes.scopes = abstract_sockets_and_signals;
    size += sizeof attributes.scopes;
  }
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
  if (ruleset < 0) return 0;
  allow_devices(static_cast<int>(ruleset));
  const long error = ::syscall(SYS_landlock_restrict_self, ruleset, 0);
  ::close(static_cast<int>(ruleset));
  return error == 0 ? static_cast<int>(version) : 0;
}

void lower_oom_rank() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "1000", 4);
  ::close(file);
}

}  // namespace

bool tie_to_parent(int parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (parent != 0 && ::getppid() != parent) return false;
  // One byte, not none: a limit of 0 still starts core handlers that are programs.
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  lower_oom_rank();
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

std::string enter_sandbox(const SandboxOptions& options) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const int landlock = options.restrict_files ? restrict_files() : 0;
  const bool seccomp = filter_system_calls(options);
  return "{\"sandbox\": {\"landlock\": " + std::to_string(landlock) +
         ", \"seccomp\": " + (seccomp ? "true" : "false") + "}}";
}

}  // namespace gate
