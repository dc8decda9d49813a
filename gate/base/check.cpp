// The one place that ends the process because of our own bug.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace gate {

namespace {

constexpr int exit_own_bug = 70;  // EX_SOFTWARE of sysexits.h; see the exit codes of the README

}  // namespace

void check(bool invariant, std::string_view meaning, std::source_location where) {
  if (invariant) return;
  std::fprintf(stderr, "gate: internal error: %s:%u: in %s: does not hold: %.*s\n",
               where.file_name(), static_cast<unsigned>(where.line()), where.function_name(),
               static_cast<int>(meaning.size()), meaning.data());
  std::fflush(stderr);
  // No destructors and no exit handlers: they would run on the broken state.
  std::_Exit(exit_own_bug);
}

}  // namespace gate
