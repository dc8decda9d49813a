// The jump, for x86-64 System V: callee-saved registers and the stack pointer. It ends in a return,
// not in a jump: nearly all fibers wait in the same calls, so the processor's return predictor is
// right for them, and stays in step.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/jump.h"

#if defined(__x86_64__)
asm(R"(
.text
.globl gate_emu_jump
.hidden gate_emu_jump
.type gate_emu_jump,@function
.align 16
gate_emu_jump:
  leaq -0x38(%rsp), %rsp
  movq %r12, 0x08(%rsp)
  movq %r13, 0x10(%rsp)
  movq %r14, 0x18(%rsp)
  movq %r15, 0x20(%rsp)
  movq %rbx, 0x28(%rsp)
  movq %rbp, 0x30(%rsp)
  movq %rsp, %rax
  movq %rdi, %rsp
  movq 0x08(%rsp), %r12
  movq 0x10(%rsp), %r13
  movq 0x18(%rsp), %r14
  movq 0x20(%rsp), %r15
  movq 0x28(%rsp), %rbx
  movq 0x30(%rsp), %rbp
  leaq 0x38(%rsp), %rsp
  movq %rsi, %rdx
  movq %rax, %rdi
  ret
.size gate_emu_jump,.-gate_emu_jump
)");
#endif
