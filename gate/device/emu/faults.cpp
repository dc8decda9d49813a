// SIGSEGV and its like: on an alternate stack, back to the step that ran, worded there.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/faults.h"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <cstring>

#include "gate/device/emu/division.h"
#include "gate/device/emu/machine.h"

namespace gate {

namespace {

constexpr std::array caught = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
alignas(16) std::array<std::byte, 64 << 10> signal_stack;

const void* code_address(const void* context) {
#if defined(__x86_64__)
  const auto* registers = static_cast<const ucontext_t*>(context);
  return reinterpret_cast<const void*>(registers->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
  return nullptr;
#endif
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGFPE && machine().in_kernel() &&
      finish_division(static_cast<ucontext_t*>(context)))
    return;
  if (!machine().crash(signal, info->si_addr, code_address(context))) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

void catch_signals() {
  stack_t stack{};
  stack.ss_sp = signal_stack.data();
  stack.ss_size = signal_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  // The handler never returns but jumps away: the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : caught) sigaction(signal, &action, nullptr);
}

bool Machine::crash(int signal, const void* address, const void* pc) {
  if (!can_recover_) return false;
  signal_ = signal;
  signal_address_ = address;
  signal_pc_ = pc;
  std::longjmp(recovery_, 1);
}

void Machine::leave_step(const std::string& text) {
  set_fault({gate_emu::Ending::launch_failed, text, false});
  std::longjmp(recovery_, 1);
}

const void* Machine::bad_address() const {
  const bool by_signal = fault_ && fault_->ending == gate_emu::Ending::crash && fault_->lost;
  const bool strayed = by_signal && signal_ == SIGSEGV && !stacks_->is_guard(signal_address_);
  return strayed ? signal_address_ : nullptr;
}

LaunchFault Machine::fault_of_signal() const {
  using gate_emu::Ending;
  const bool in_kernel = image_->here->in_kernel != 0;
  std::string who = in_kernel ? " in " + where_now() : " in the host launcher";
  // The table wants the address after an instruction, as return addresses are.
  const auto* next = static_cast<const std::byte*>(signal_pc_) + 1;
  if (const std::string at = place_of_code_(next); !at.empty()) who += " at " + at;
  if (signal_ == SIGABRT) return {Ending::crash, "abort" + who, true};
  if (signal_ == SIGILL) return {Ending::crash, "trap" + who, true};
  if (signal_ == SIGFPE) return {Ending::crash, "arithmetic trap" + who, true};
  if (stacks_->is_guard(signal_address_)) {
    return {Ending::crash,
            fmt::format("stack overflow ({} KiB)", stacks_->stack_bytes() >> 10) + who, true};
  }
  if (arena_.contains(signal_address_)) {
    return {Ending::out_of_bounds,
            "access beyond shared memory: " + arena_.describe(signal_address_) + who, true};
  }
  return {Ending::crash, fmt::format("illegal address {}", signal_address_) + who, true};
}

}  // namespace gate
