// JSON of other tools with places: which line a value stands in, so that messages can say it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate/spec/toml_reader.h"

namespace gate {

/// Keys and array indices from the root to a value.
using JsonPath = std::vector<std::string>;

struct JsonSource {
  nlohmann::ordered_json value;
  std::string text;
  std::filesystem::path file;
  int first_line = 1;  // of a line of a .jsonl file

  /// Of the value at the path, or of the nearest one around it that exists.
  Place place(const JsonPath& path) const;
};

/// The whole text as one value; a syntax error has its line and column.
Result<JsonSource> read_json_source(const std::string& text, const std::filesystem::path& file,
                                    int first_line = 1);

/// The value of a .json file, or one of every line of a .jsonl file.
Result<std::vector<JsonSource>> read_json_values(const std::filesystem::path& file);

/// Typed access that gathers problems.
class JsonFields {
 public:
  JsonFields(const JsonSource& source, Problems& problems) : source_(source), problems_(problems) {}

  /// Null where the key is absent, with a problem if `hint` says what it should hold.
  const nlohmann::ordered_json* find(const JsonPath& path, const std::string& hint = {});
  std::string text(const JsonPath& path, const std::string& hint);
  const nlohmann::ordered_json* object(const JsonPath& path, const std::string& hint);
  const nlohmann::ordered_json* array(const JsonPath& path, const std::string& hint);
  void problem(const JsonPath& path, const std::string& text, const std::string& hint = {});

 private:
  const JsonSource& source_;
  Problems& problems_;
};

}  // namespace gate
