// How an image built from C++ source tells its entries: a table of names, addresses and signatures
// under one C symbol. Names may be template instances; the compiler resolves them, not the loader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/device/device.h"

namespace gate {

inline constexpr const char* entry_table_symbol = "gate_entries";

/// One row of the table; the last has no name. A signature is one letter for the result and one
/// per parameter: v void, p pointer, f float, d double, b s i l integers of 1 2 4 8 bytes, ? else.
struct EntryRow {
  const char* name;
  void* function;
  const char* signature;
};

/// `call(data)`, and what an exception says into `text`; non-zero if there was one. Part of the
/// image, because only its own C++ runtime can be sure to catch what it throws.
using GuardedCall = int (*)(void (*call)(void*), void* data, char* text, std::size_t text_bytes);
inline constexpr const char* guard_symbol = "gate_guarded";

/// A translation unit that includes the source and defines the table.
std::string entry_table_source(const BuildRequest& request);

/// The letter of a scalar dtype, or 0 where it cannot be passed by value.
char signature_letter(DType dtype);

BuildReply build_host_image(const BuildRequest& request);

}  // namespace gate
