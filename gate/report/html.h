// The report as one HTML file for people: no network, no script; a content security policy of its
// own forbids both, and everything a kernel could have written is escaped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/report/report.h"

namespace gate {

std::string to_html(const Report& report);

}  // namespace gate
