// Help texts: gate/cli/help/<verb>.txt, embedded by the build so that text and program agree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gate {

/// Text of a verb, or of the whole program for "gate"; empty for anything else.
std::string_view help_text(std::string_view topic);

}  // namespace gate
