// Probes of the sandbox: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/sandbox_probe.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "gate/base/files.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::size_t status_bytes_max = 64 * 1024;

/// The value of "Name:" in /proc/self/status, or empty.
std::string status_field(const std::string& name) {
  const Result<std::string> status = read_file("/proc/self/status", status_bytes_max);
  if (!status) return {};
  for (const std::string& line : split(*status, '\n')) {
    if (line.starts_with(name + ":")) return std::string(trim(line.substr(name.size() + 1)));
  }
  return {};
}

Probe probe_user() {
  const bool root = ::geteuid() == 0;
  return {"user", !root, "uid " + std::to_string(::geteuid())};
}

Probe probe_capabilities() {
  const std::string effective = status_field("CapEff"), bounding = status_field("CapBnd");
  const auto none = [](const std::string& set) {
    return !set.empty() && set.find_first_not_of('0') == std::string::npos;
  };
  return {"no capabilities", none(effective) && none(bounding),
          "effective " + effective + ", bounding " + bounding};
}

Probe probe_status(const char* name, const char* field, const char* wanted) {
  const std::string value = status_field(field);
  return {name, value == wanted, std::string(field) + " " + value};
}

Probe probe_root() {
  for (const char* folder : {"/", "/usr", "/opt", "/etc", "/var"}) {
    const std::string file = std::string(folder) + "/.gate-probe";
    const int opened = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (opened >= 0) {
      ::close(opened);
      ::unlink(file.c_str());
      return {std::string(read_only_root), false, std::string(folder) + " can be written"};
    }
    if (errno != EROFS && errno != ENOENT) {
      return {std::string(read_only_root), false,
              std::string(folder) + " refuses by rights only: " + std::strerror(errno)};
    }
  }
  return {std::string(read_only_root), true, "writing is refused"};
}

/// Compiled kernels are loaded from the cache below it: a noexec mount refuses the mapping.
Probe probe_exec() {
  std::string file = (std::filesystem::path(cache_folder()) / "probe-XXXXXX").string();
  std::error_code error;
  std::filesystem::create_directories(cache_folder(), error);
  const int opened = ::mkostemp(file.data(), O_CLOEXEC);
  if (opened < 0) return {"exec in the cache", false, file + ": " + std::strerror(errno)};
  ::unlink(file.c_str());
  constexpr std::size_t page = 4096;
  const bool sized = ::ftruncate(opened, page) == 0;
  void* const mapped =
      sized ? ::mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, opened, 0) : MAP_FAILED;
  const int problem = errno;
  ::close(opened);
  if (mapped == MAP_FAILED) return {"exec in the cache", false, std::strerror(problem)};
  ::munmap(mapped, page);
  return {"exec in the cache", true, cache_folder().string()};
}

Probe probe_network() {
  std::vector<std::string> interfaces;
  const Result<std::string> devices = read_file("/proc/net/dev", status_bytes_max);
  if (!devices) return {"no network", false, "/proc/net/dev cannot be read"};
  for (const std::string& line : split(*devices, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name(trim(line.substr(0, colon)));
    // Tunnels that the kernel puts into every new namespace, without address and down.
    constexpr std::array idle = {"lo",      "tunl0",    "gre0", "gretap0", "erspan0",
                                 "ip_vti0", "ip6_vti0", "sit0", "ip6tnl0", "ip6gre0"};
    bool known = false;
    for (const char* each : idle) known = known || name == each;
    if (!known) interfaces.push_back(name);
  }
  const Result<std::string> routes = read_file("/proc/net/route", status_bytes_max);
  const bool routed = routes && split(std::string(trim(*routes)), '\n').size() > 1;
  if (interfaces.empty() && !routed) return {"no network", true, "loopback only"};
  return {"no network", false, routed ? "there is a route" : join(interfaces, " ")};
}

Probe probe_environment() {
  std::vector<std::string> secret;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string name = std::string(*each).substr(0, std::string(*each).find('='));
    for (const char* word : {"TOKEN", "SECRET", "PASSWORD", "ACTIONS_", "GITHUB_", "CREDENTIAL"}) {
      if (name.find(word) == std::string::npos) continue;
      secret.push_back(clean_text(name, 60));
      break;
    }
  }
  return {"no secrets", secret.empty(),
          secret.empty() ? "no such variable" : "variables: " + join(secret, " ")};
}

Probe probe_socket() {
  for (const char* path : {"/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock"}) {
    if (::access(path, F_OK) == 0) return {"no engine socket", false, path};
  }
  return {"no engine socket", true, "none"};
}

}  // namespace

std::vector<Probe> probe_sandbox() {
  return {probe_user(),
          probe_capabilities(),
          probe_status("no new privileges", "NoNewPrivs", "1"),
          probe_status("system call filter", "Seccomp", "2"),
          probe_root(),
          probe_exec(),
          probe_network(),
          probe_environment(),
          probe_socket()};
}

std::string toolkit_version(const std::string& output) {
  const std::size_t at = output.find_first_of("0123456789");
  if (at == std::string::npos) return {};
  const std::size_t end = output.find_first_not_of("0123456789.", at);
  return output.substr(at, end == std::string::npos ? std::string::npos : end - at);
}

bool toolkit_is_new_enough(const std::string& version) {
  constexpr std::array<std::int64_t, 3> least = {1, 17, 8};
  const std::vector<std::string> parts = split(version, '.');
  for (std::size_t i = 0; i < least.size(); ++i) {
    const auto number = i < parts.size() ? parse_integer(parts[i]) : std::nullopt;
    if (!number || *number < least[i]) return false;
    if (*number > least[i]) return true;
  }
  return true;
}

}  // namespace gate
