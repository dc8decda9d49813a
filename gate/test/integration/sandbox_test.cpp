// What foreign code in a worker cannot do. A kernel tries each statement and writes errno.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "gate/test/integration/host_kernel.h"

namespace gate {
namespace {

constexpr const char* headers = R"(
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static void* nothing(void*) { return nullptr; }
)";

class Sandbox : public HostKernels {
 protected:
  /// errno of each statement run inside a worker; 0 where it succeeded.
  std::vector<int> errors_of(const std::vector<std::string>& statements) {
    std::string code = headers;
    std::string calls;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const std::string number = std::to_string(i);
      code += "static long attempt" + number + "() { " + statements[i] + " }\n";
      calls += "errno = 0; y[" + number + "] = attempt" + number + "() < 0 ? errno : 0;\n";
    }
    code += "extern \"C\" void kernel(const float*, float* y, int) {\n" + calls + "}\n";
    Session session(image(code), {});
    const Outcome outcome = session.run(vector_job(static_cast<std::int64_t>(statements.size())));
    facts_ = session.device_facts();
    EXPECT_EQ(outcome.end, Kind::pass) << outcome.text;
    std::vector<int> errors(statements.size(), -1);
    for (std::size_t i = 0; i < errors.size() && outcome.end == Kind::pass; ++i) {
      errors[i] = static_cast<int>(outcome.after[1].at(static_cast<std::int64_t>(i)));
    }
    return errors;
  }
  void expect_all(const std::vector<std::string>& statements, int error) {
    const std::vector<int> errors = errors_of(statements);
    for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(errors[i], error) << statements[i];
  }
  bool lacks(const std::string& fact) const { return facts_.find(fact) == std::string::npos; }

  std::string facts_;
};

TEST_F(Sandbox, denies_system_calls) {
  errors_of({"return 0;"});
  if (lacks("\"seccomp\":true")) GTEST_SKIP() << "no seccomp on this kernel: " << facts_;
  expect_all(
      {
          "return ptrace(PTRACE_ATTACH, getppid(), 0, 0);",
          "return kill(getppid(), SIGTERM);",
          "return kill(0, SIGTERM);",
          "return kill(-1, SIGTERM);",
          "return syscall(SYS_tgkill, getppid(), getppid(), SIGTERM);",
          "return socket(AF_INET, SOCK_STREAM, 0);",
          "return socket(AF_INET6, SOCK_DGRAM, 0);",
          "return socket(AF_NETLINK, SOCK_RAW, 0);",
          "char* none[] = {nullptr}; return execve(\"/bin/true\", none, none);",
          "return fork();",
          "return setsid();",
          "return syscall(SYS_unshare, 0x10000000);",
          "return syscall(SYS_bpf, 0, nullptr, 0);",
          "return syscall(SYS_userfaultfd, 0);",
          "return syscall(SYS_keyctl, 0, 0, 0, 0, 0);",
          "return syscall(SYS_mount, \"a\", \"/tmp\", \"tmpfs\", 0, 0);",
          "return syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0);",
      },
      EPERM);
  expect_all({"return syscall(SYS_clone3, nullptr, 0);"}, ENOSYS);
}

TEST_F(Sandbox, leaves_what_kernels_need) {
  expect_all({"pthread_t t; pthread_create(&t, nullptr, nothing, nullptr); "
              "return pthread_join(t, nullptr) == 0 ? 0 : -1;",
              "void* memory = malloc(64 << 20); free(memory); return memory ? 0 : -1;",
              "return open(\"/dev/null\", O_WRONLY);",
              "return open(\"/proc/self/maps\", O_RDONLY);", "return kill(getpid(), 0);"},
             0);
}

TEST_F(Sandbox, writes_no_file) {
  const std::string absent = file("written").string(), there = file("there").string();
  std::ofstream(there) << "content";
  const std::vector<std::string> attempts = {
      "return open(\"" + absent + "\", O_WRONLY | O_CREAT, 0600);",
      "return open(\"" + there + "\", O_WRONLY);",
      "return unlink(\"" + there + "\");",
      "return truncate(\"" + there + "\", 0);",
      "return mkdir(\"" + absent + "\", 0700);",
      "return open(\"/dev/shm/left-by-a-kernel\", O_WRONLY | O_CREAT, 0600);"};
  errors_of({"return 0;"});
  if (!lacks("\"landlock\":0")) GTEST_SKIP() << "no Landlock on this kernel: " << facts_;
  expect_all(attempts, EACCES);
  expect_all({"return open(\"" + there + "\", O_RDONLY);"}, 0);
}

TEST_F(Sandbox, holds_two_descriptors_and_a_bare_environment) {
  ::setenv("GATE_TEST_SECRET", "token", 1);
  expect_all({"for (int d = 5; d < 256; ++d) if (fcntl(d, F_GETFD) >= 0) { errno = d; return -1; } "
              "return 0;",
              "errno = 99; return getenv(\"GATE_TEST_SECRET\") ? -1 : 0;",
              "errno = 99; return getenv(\"PATH\") ? 0 : -1;",
              "rlimit core; getrlimit(RLIMIT_CORE, &core); errno = 98; "
              "return core.rlim_max <= 1 ? 0 : -1;"},
             0);
  ::unsetenv("GATE_TEST_SECRET");
}

TEST_F(Sandbox, cannot_resize_the_slots) {
  expect_all({"return ftruncate(4, 0);", "return ftruncate(4, 1l << 40);",
              "return fcntl(4, F_ADD_SEALS, F_SEAL_WRITE);"},
             EPERM);
}

}  // namespace
}  // namespace gate
