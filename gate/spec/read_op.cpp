// Reading op.toml: the order of its parts, and what must hold between them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/spec/op_parts.h"

namespace gate {
namespace {

void read_head(OpReading& reading, TableReader& root, const std::filesystem::path& file) {
  const TomlValue* value = root.require("op");
  if (!value) return;
  TableReader op(reading.problems, *value, "op");
  reading.schema.name = op.required_text("name").value_or("");
  reading.schema.summary = op.text("summary").value_or("");
  const TomlValue* name = op.find("name");
  if (name && !reading.schema.name.empty()) {
    const std::string folder = file.parent_path().filename().string();
    if (!is_identifier(reading.schema.name)) {
      reading.problems.add(*name,
                           fmt::format("op.name must be letters, digits and underscores; it is "
                                       "\"{}\"",
                                       reading.schema.name));
    } else if (!folder.empty() && folder != reading.schema.name) {
      reading.problems.add(
          *name,
          fmt::format("op.name is \"{}\", but its folder is \"{}\"", reading.schema.name, folder),
          "an op is a folder of its name");
    }
  }
  op.finish();
}

}  // namespace

bool OpReading::is_broken(const std::string& name) const {
  return std::find(broken.begin(), broken.end(), name) != broken.end();
}

bool OpReading::take_name(const TomlEntry& entry, std::string_view what) {
  static const std::vector<std::string> reserved = {"key", "schedule", "stream", "inf", "nan"};
  const Place place{problems.file(), entry.line, entry.column};
  if (!is_identifier(entry.key)) {
    problems.add(place, fmt::format("\"{}\" is not a name for {}", entry.key, what),
                 "names are letters, digits and underscores");
    return false;
  }
  if (std::find(reserved.begin(), reserved.end(), entry.key) != reserved.end()) {
    problems.add(place, fmt::format("{} must not be called {}", what, entry.key),
                 "the word has a meaning of its own in case texts or launches");
    return false;
  }
  if (std::find(names.begin(), names.end(), entry.key) != names.end()) {
    problems.add(place, fmt::format("the name {} is taken", entry.key),
                 "axes, attributes, inputs and outputs share one set of names");
    return false;
  }
  names.push_back(entry.key);
  return true;
}

std::vector<std::string> expression_names(const OpSchema& schema) {
  std::vector<std::string> names;
  for (const Axis& axis : schema.axes) names.push_back(axis.name);
  for (const Attribute& attribute : schema.attributes) {
    if (!facts(attribute.dtype).is_float) names.push_back(attribute.name);
  }
  return names;
}

Result<OpSchema> parse_op(const std::string& text, const std::filesystem::path& file,
                          const KnownNames& known) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  OpSchema schema;
  schema.folder = file.parent_path();
  OpReading reading{problems, schema, known, {}, {}};
  TableReader root(problems, *document, "");
  read_head(reading, root, file);
  read_axes(reading, root);
  read_attributes(reading, root);
  read_tensors(reading, root);
  read_columns(reading, root);
  read_contract(reading, root);
  read_fixed_shape(reading, root);
  root.finish();
  if (!problems.empty()) return problems.failure();
  return schema;
}

}  // namespace gate
