// The checked variant of an image: compiled with the thread sanitizer's instrumentation, whose
// calls end in hooks of ours instead of its runtime. They tell the emulator of every access.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gate {

/// C++ to append to a translated source: the hooks.
std::string checked_hooks();
/// Flags for the compiler that make it call them.
inline constexpr const char* checked_flags[] = {"-fsanitize=thread", "--param",
                                                "tsan-distinguish-volatile=1", "--param",
                                                "tsan-instrument-func-entry-exit=0"};

}  // namespace gate
