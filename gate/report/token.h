// A seed as one line of text that survives mail, chat and comments: ig1:<base64url of zlib of
// TOML>. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/spec/seed.h"

namespace gate {

std::string to_token(const Seed& seed);
/// Damaged or foreign text is a user failure, never a crash: tokens are pasted by people.
Result<Seed> parse_token(std::string_view token);
/// The first seed in a seed file, a saved comment holding a token, or one holding a TOML block.
Result<Seed> find_seed(const std::string& text, const std::string& file);

}  // namespace gate
