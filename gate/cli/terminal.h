// Whether to colour what goes to a stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace gate {

/// `choice` is auto, always or never; auto honours NO_COLOR (no-color.org).
inline bool wants_colour(const std::string& choice, bool is_terminal) {
  if (choice != "auto") return choice == "always";
  return is_terminal && std::getenv("NO_COLOR") == nullptr;
}

}  // namespace gate
