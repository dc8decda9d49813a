// Patterns in words.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <array>
#include <utility>

#include "gate/explain/pattern.h"

namespace gate {
namespace {

/// Name, and how it reads; "{}" stands for the detail.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> phrases = {{
    {"nan spread", "NaN or infinity in {}"},
    {"all zero", "every element 0"},
    {"sign", "every sign flipped"},
    {"constant factor", "every element off by the factor {}"},
    {"all elements", "every element off"},
    {"tail columns", "only {} off"},
    {"tail rows", "only {} off"},
    {"one row", "only {} off"},
    {"one column", "only {} off"},
    {"whole rows", "whole rows off"},
    {"stripes", "stripes off, {}"},
    {"scattered", "single elements off"},
}};

}  // namespace

std::string pattern_phrase(const Pattern& pattern) {
  for (const auto& [name, phrase] : phrases) {
    if (name != pattern.name) continue;
    std::string text(phrase);
    const std::size_t place = text.find("{}");
    if (place != std::string::npos) text.replace(place, 2, pattern.detail);
    return text;
  }
  return pattern.name;
}

}  // namespace gate
