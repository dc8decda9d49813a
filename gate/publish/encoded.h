// Encodings that GitHub's routes ask for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gate {

std::string base64(std::string_view bytes);  // RFC 4648 with padding, one line
std::string gzip(std::string_view bytes);

}  // namespace gate
