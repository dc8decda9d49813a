// A deny list as a BPF program. Denied calls fail with EPERM, so that a library that merely tries
// one goes on without it.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/system_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gate {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t foreign_calls = 0x40000000;  // x32
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t foreign_calls = 0x80000000;
#else
constexpr std::uint32_t architecture = 0;
constexpr std::uint32_t foreign_calls = 0x80000000;
#endif

constexpr std::uint32_t fail_with(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

constexpr long denied[] = {
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill, SYS_pidfd_getfd,
    SYS_pidfd_send_signal, SYS_process_madvise,
    // the kernel itself
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_io_uring_setup, SYS_acct, SYS_reboot, SYS_swapon,
    SYS_quotactl,
    // keys, name spaces, mounts
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_unshare, SYS_setns, SYS_mount, SYS_umount2,
    SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsmount,
    SYS_fsconfig, SYS_fspick, SYS_mount_setattr};

/// Leaving the process or its group; the group is what a deadline kills.
constexpr long denied_without_programs[] = {SYS_execve, SYS_execveat, SYS_setsid, SYS_setpgid,
#ifdef SYS_fork
                                            SYS_fork,   SYS_vfork
#endif
};

/// Calls whose first argument is a process: only our own.
constexpr long only_ourselves[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo,
                                   SYS_rt_tgsigqueueinfo};

constexpr std::uint32_t name_space_flags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                           CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                           CLONE_NEWNET;

class Filter {
 public:
  Filter();
  void deny(long call, int error = EPERM);
  /// Denied unless the low word of the first argument, masked, equals `value`.
  void allow_if(long call, std::uint32_t mask, std::uint32_t value);
  bool install();

 private:
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset));
  }
  void add(int code, int if_true, int if_false, std::uint32_t value) {
    program_.push_back({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
                        static_cast<std::uint8_t>(if_false), value});
  }
  std::vector<sock_filter> program_;
};

Filter::Filter() {
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
  load(offsetof(seccomp_data, nr));
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, foreign_calls);
  add(BPF_RET | BPF_K, 0, 0, fail_with(ENOSYS));
}

void Filter::deny(long call, int error) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(call));
  add(BPF_RET | BPF_K, 0, 0, fail_with(error));
}

void Filter::allow_if(long call, std::uint32_t mask, std::uint32_t value) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, static_cast<std::uint32_t>(call));
  load(offsetof(seccomp_data, args[0]));  // low word: little endian only
  add(BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
  add(BPF_RET | BPF_K, 0, 0, fail_with(EPERM));
}

bool Filter::install() {
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
  sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace

bool filter_system_calls(const SandboxOptions& options) {
  if (architecture == 0) return false;
  constexpr std::uint32_t all_bits = 0xFFFFFFFF;
  Filter filter;
  for (const long call : denied) filter.deny(call);
  filter.allow_if(SYS_socket, all_bits, AF_UNIX);
  // glibc falls back to clone, whose flags a filter can see.
  filter.deny(SYS_clone3, ENOSYS);
  if (options.may_start_programs) {
    filter.allow_if(SYS_clone, name_space_flags, 0);
    return filter.install();
  }
  for (const long call : denied_without_programs) filter.deny(call);
  filter.allow_if(SYS_clone, CLONE_THREAD | name_space_flags, CLONE_THREAD);
  const auto ourselves = static_cast<std::uint32_t>(::getpid());
  for (const long call : only_ourselves) filter.allow_if(call, all_bits, ourselves);
  return filter.install();
}

}  // namespace gate
