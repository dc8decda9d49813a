// The verdict words: kinds of a case, properties, classes of a (kernel, column).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace gate {

enum class Kind {
  pass,
  // red
  wrong, nonfinite, law_broken, nondeterministic, out_of_bounds, unwritten, input_modified, crash,
  timeout, barrier, launch_failed, build_failed,
  // grey: never green
  unsupported, not_checked, environment,
};

enum class Colour { green, red, grey };

Colour colour(Kind kind);
std::string_view name(Kind kind);
std::optional<Kind> kind_named(std::string_view name);
std::span<const Kind> all_kinds();

/// Class of a (kernel, column).
enum class Class { clean, illusion, defect, unchecked };
std::string_view name(Class value);
std::optional<Class> class_named(std::string_view name);

/// Properties are text: "value", "special", "law:<name>", "repeat", "memory", "build".
inline constexpr std::string_view property_value = "value";
inline constexpr std::string_view property_special = "special";
inline constexpr std::string_view property_repeat = "repeat";
inline constexpr std::string_view property_memory = "memory";
inline constexpr std::string_view property_build = "build";
inline constexpr std::string_view property_law_prefix = "law:";
/// One of the above, or "law:" and a name.
bool is_property(std::string_view text);

}  // namespace gate
