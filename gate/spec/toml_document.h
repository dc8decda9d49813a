// A TOML file as a plain tree with places, in file order. The one .cpp behind it is the only user
// of TOML++, which costs seconds to compile; every reader works on this tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gate/base/result.h"

namespace gate {

struct TomlEntry;

/// Dates and times have no use in our files: they become `TomlOther` and fail every type check.
struct TomlOther {
  std::string type;
};
using TomlTable = std::vector<TomlEntry>;  // in file order

struct TomlValue {
  std::variant<TomlTable, std::vector<TomlValue>, std::string, std::int64_t, double, bool,
               TomlOther>
      content;
  int line = 0;
  int column = 0;
  /// Strings: column of the first character of the text, 0 if escapes make columns useless.
  int text_column = 0;
};

struct TomlEntry {
  std::string key;
  TomlValue value;
  int line = 0;  // of the key
  int column = 0;
};

/// The root table, or the first syntax error.
Result<TomlValue> parse_toml(const std::string& text, const std::filesystem::path& file);

const TomlTable* as_table(const TomlValue& value);
const std::vector<TomlValue>* as_array(const TomlValue& value);
/// "a table", "a string" …: for messages.
std::string type_text(const TomlValue& value);

/// A quoted basic string with everything escaped that needs it.
std::string toml_string(std::string_view text);

}  // namespace gate
