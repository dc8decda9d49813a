// What the compiler's alignment check calls: a misaligned access of a GPU thread traps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate_emu/core.h"

namespace gate_emu {

struct SourceLocation {
  const char* file;
  unsigned line, column;
};
struct TypeDescriptor {
  unsigned short kind, info;
  char name[1];
};
struct TypeMismatch {
  SourceLocation location;
  const TypeDescriptor* type;
  unsigned char log_alignment;
  unsigned char check;
};

}  // namespace gate_emu

// The compiler knows these by name and by two pointers.
extern "C" GATE_HIDDEN __attribute__((used)) inline void __ubsan_handle_type_mismatch_v1(
    void* mismatch, void* address) {
  const auto* data = static_cast<const gate_emu::TypeMismatch*>(mismatch);
  const gate_emu::Site site{data->location.file, static_cast<int>(data->location.line)};
  char text[256];
  __builtin_snprintf(text, sizeof text, "misaligned address %p for %s (alignment %u)", address,
                     data->type->name, 1u << data->log_alignment);
  gate_emu::fail(gate_emu::Ending::crash, text, site);
}
extern "C" GATE_HIDDEN __attribute__((used)) inline void __ubsan_handle_type_mismatch_v1_abort(
    void* mismatch, void* address) {
  __ubsan_handle_type_mismatch_v1(mismatch, address);
}
