// Integer division as a GPU does it: x86 traps where the hardware gives a value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

namespace gate {

/// Called on SIGFPE: if a div or idiv trapped, sets its result (by zero: all ones; smallest value
/// by −1: itself, remainder 0), steps over it and says true.
bool finish_division(ucontext_t* context);

}  // namespace gate
