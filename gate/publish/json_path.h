// Reading GitHub's JSON: a missing or foreign value is empty, never an exception.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gate/report/strict_json.h"

namespace gate {

/// The value at "/a/b/0", or null.
const OrderedJson& value_at(const OrderedJson& json, const std::string& path);
std::string text_at(const OrderedJson& json, const std::string& path);
std::int64_t integer_at(const OrderedJson& json, const std::string& path);

}  // namespace gate
