// [inputs], [outputs] and [columns] of op.toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/spec/op_parts.h"

namespace gate {
namespace {

const std::vector<std::string> layouts = {"contiguous", "row_pitch",  "strided",
                                          "offset",     "transposed", "broadcast"};

void read_layouts(OpReading& reading, TableReader& table, TensorSchema& tensor, bool input) {
  const TomlValue* value = table.find("layout");
  tensor.layouts = table.texts("layout");
  if (!value) {
    tensor.layouts = {"contiguous"};
    return;
  }
  std::vector<std::string> allowed = layouts;
  if (!input) allowed.pop_back();  // a stride of 0 would make output elements share their place
  const std::string what = table.name_of("layout");
  for (const std::string& layout : tensor.layouts) {
    if (std::find(allowed.begin(), allowed.end(), layout) == allowed.end()) {
      reading.problems.add(*value, fmt::format("{} must not have \"{}\"", what, layout),
                           word_hint(layout, allowed));
    } else if (tensor.shape.size() < 2 && (layout == "row_pitch" || layout == "transposed")) {
      reading.problems.add(*value,
                           fmt::format("{}: {} needs at least two dimensions", what, layout));
    } else if (std::count(tensor.layouts.begin(), tensor.layouts.end(), layout) > 1) {
      reading.problems.add(*value, fmt::format("{} has {} twice", what, layout));
    }
  }
  const auto plain = std::find(tensor.layouts.begin(), tensor.layouts.end(), "contiguous");
  if (plain == tensor.layouts.end()) {
    reading.problems.add(*value, fmt::format("{} must have contiguous", what));
  } else {
    std::rotate(tensor.layouts.begin(), plain, plain + 1);
  }
}

void read_profiles(OpReading& reading, TableReader& table, TensorSchema& tensor) {
  const TomlValue* value = table.find("values");
  tensor.profiles = table.texts("values");
  const std::vector<std::string>& known = reading.known.profiles;
  for (const std::string& profile : tensor.profiles) {
    if (!is_identifier(profile)) {
      reading.problems.add(*value,
                           fmt::format("{}: \"{}\" is not the name of a value profile",
                                       table.name_of("values"), profile),
                           "versions and parameters belong to cases, not to ops");
    } else if (!known.empty() && std::find(known.begin(), known.end(), profile) == known.end()) {
      reading.problems.add(
          *value,
          fmt::format("{}: there is no value profile \"{}\"", table.name_of("values"), profile),
          word_hint(profile, known));
    }
  }
}

void read_domain(OpReading& reading, TableReader& tensor_table, TensorSchema& tensor) {
  const TomlValue* value = tensor_table.table("domain");
  if (!value) return;
  TableReader table(reading.problems, *value, tensor_table.name_of("domain"));
  IntegerDomain domain;
  table.require("kind");
  domain.kind =
      table.word("kind", {"range", "index", "permutation", "sorted", "few", "full", "boolean"})
          .value_or("full");
  const std::vector<std::string> names = expression_names(reading.schema);
  const auto bound = [&](const std::string& key, Expression& expression) {
    const TomlValue* text = table.require(key);
    if (!text) return;
    const auto read = expression_of(reading.problems, *text, table.name_of(key), names);
    if (read) expression = *read;
  };
  if (domain.kind == "index") {
    bound("below", domain.high);
  } else if (domain.kind == "range" || domain.kind == "sorted" || domain.kind == "few") {
    bound("low", domain.low);
    bound("high", domain.high);
  }
  table.finish();
  tensor.domain = std::move(domain);
}

void read_tensor(OpReading& reading, const TomlEntry& entry, bool input) {
  TensorSchema tensor;
  tensor.name = entry.key;
  TableReader table(reading.problems, entry.value,
                    fmt::format("{}.{}", input ? "inputs" : "outputs", entry.key));
  if (table.require("shape")) {
    tensor.shape = table.expressions("shape", expression_names(reading.schema));
  }
  read_layouts(reading, table, tensor, input);
  if (input) {
    read_profiles(reading, table, tensor);
    read_domain(reading, table, tensor);
  } else if (const TomlValue* value = table.find("accept")) {
    tensor.accept = table.text("accept").value_or("");
    const std::size_t colon = tensor.accept.find(':');
    const std::string rule = tensor.accept.substr(0, colon);
    const std::string of = colon == std::string::npos ? "" : tensor.accept.substr(colon + 1);
    if ((rule != "argmax" && rule != "argmin") || !is_input(reading.schema, of)) {
      reading.problems.add(*value, fmt::format("{} must be argmax:<input> or argmin:<input>",
                                               table.name_of("accept")));
    }
  }
  table.finish();
  (input ? reading.schema.inputs : reading.schema.outputs).push_back(std::move(tensor));
}

/// Which of `values` and `domain` a tensor needs follows from its dtypes.
void check_contents(OpReading& reading, const TomlValue& where, const TensorSchema& tensor) {
  bool real = false, integer = false;
  for (const auto& [column, dtypes] : reading.schema.dtypes) {
    const auto dtype = dtypes.find(tensor.name);
    if (dtype == dtypes.end()) continue;
    (facts(dtype->second).is_float ? real : integer) = true;
  }
  if (real && tensor.profiles.empty()) {
    reading.problems.add(where, fmt::format("inputs.{}.values is missing", tensor.name),
                         "for example values = [\"normal\", \"uniform01\"]");
  }
  if (integer && !tensor.domain) {
    reading.problems.add(where, fmt::format("inputs.{}.domain is missing", tensor.name),
                         "integer tensors state their domain, for example "
                         "{ kind = \"index\", below = \"cols\" }");
  }
  if (!integer && tensor.domain && real) {
    reading.problems.add(where,
                         fmt::format("inputs.{} has a domain but no integer dtype", tensor.name));
  }
}

}  // namespace

void read_tensors(OpReading& reading, TableReader& root) {
  for (const bool input : {true, false}) {
    const std::string key = input ? "inputs" : "outputs";
    const TomlValue* value = root.table(key);
    if (!value || as_table(*value)->empty()) {
      if (!value) root.require(key);
      if (value) reading.problems.add(*value, fmt::format("{} must not be empty", key));
      continue;
    }
    for (const TomlEntry& entry : *as_table(*value)) {
      if (reading.take_name(entry, input ? "an input" : "an output")) {
        read_tensor(reading, entry, input);
      }
    }
  }
}

void read_columns(OpReading& reading, TableReader& root) {
  const TomlValue* value = root.table("columns");
  if (!value || as_table(*value)->empty()) {
    if (!value) root.require("columns");
    if (value) reading.problems.add(*value, "columns must not be empty");
    return;
  }
  OpSchema& schema = reading.schema;
  for (const TomlEntry& entry : *as_table(*value)) {
    const Place place{reading.problems.file(), entry.line, entry.column};
    if (!is_identifier(entry.key) || entry.key == "op") {
      reading.problems.add(place, fmt::format("\"{}\" is not a name for a column", entry.key));
      continue;
    }
    TableReader column(reading.problems, entry.value, "columns." + entry.key);
    schema.columns.push_back(entry.key);
    for (const auto* tensors : {&schema.inputs, &schema.outputs}) {
      for (const TensorSchema& tensor : *tensors) {
        if (!as_table(entry.value) || !column.require(tensor.name)) continue;
        if (const auto dtype = column.dtype(tensor.name)) {
          schema.dtypes[entry.key][tensor.name] = *dtype;
        }
      }
    }
    column.finish();
  }
  const TomlValue* inputs = root.table("inputs");
  if (!inputs) return;
  for (const TomlEntry& entry : *as_table(*inputs)) {
    if (const TensorSchema* tensor = find_tensor(schema, entry.key)) {
      check_contents(reading, entry.value, *tensor);
    }
  }
}

}  // namespace gate
