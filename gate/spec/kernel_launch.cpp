// [workspace] and [[launch]] of a kernel toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/spec/kernel_parts.h"
#include "gate/spec/op_parts.h"

namespace gate {
namespace {

const std::vector<DType> scalar_types = {DType::i32, DType::i64,     DType::f32,
                                         DType::f64, DType::boolean, DType::u8};

bool is_workspace(const KernelSpec& kernel, const std::string& name) {
  return std::any_of(kernel.workspaces.begin(), kernel.workspaces.end(),
                     [&](const Workspace& workspace) { return workspace.name == name; });
}

/// Splits "cols:i64" and reads the type; false after a problem.
bool take_type(KernelReading& reading, const TomlValue& where, std::string& text,
               std::optional<DType>& type) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return true;
  const std::string word(trim(std::string_view(text).substr(colon + 1)));
  text = std::string(trim(std::string_view(text).substr(0, colon)));
  type = dtype_named(word);
  if (type && std::find(scalar_types.begin(), scalar_types.end(), *type) != scalar_types.end()) {
    return true;
  }
  std::vector<std::string> names;
  for (const DType known : scalar_types) names.emplace_back(facts(known).name);
  reading.problems.add(where, fmt::format("\"{}\" is not a type of scalar arguments", word),
                       word_hint(word, names));
  return false;
}

std::optional<LaunchArgument> read_argument(KernelReading& reading, const TomlValue& value) {
  TomlValue rest = value;  // the argument without its type
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    rest.content = std::to_string(*integer);
  }
  auto text = text_of(reading.problems, rest, "an item of launch.args");
  if (!text) return std::nullopt;
  std::optional<DType> type;
  if (!take_type(reading, value, *text, type)) return std::nullopt;
  LaunchArgument argument;
  argument.name = *text;
  const bool pointer = find_tensor(reading.op, *text) || is_workspace(reading.kernel, *text);
  if (*text == "stream" || pointer) {
    argument.what = *text == "stream"                ? LaunchArgument::What::stream
                    : find_tensor(reading.op, *text) ? LaunchArgument::What::tensor
                                                     : LaunchArgument::What::workspace;
    if (type) {
      reading.problems.add(value, fmt::format("{} is a pointer and takes no type", *text));
      return std::nullopt;
    }
    return argument;
  }
  if (const Attribute* attribute = find_attribute(reading.op, *text)) {
    argument.what = LaunchArgument::What::attribute;
    argument.dtype = type.value_or(attribute->dtype);
    return argument;
  }
  rest.content = *text;
  auto expression = expression_of(reading.problems, rest, "an argument", reading.launch_names);
  if (!expression) return std::nullopt;
  argument.name.clear();
  argument.value = *expression;
  argument.dtype = type.value_or(DType::i32);
  return argument;
}

std::vector<LaunchArgument> read_arguments(KernelReading& reading, TableReader& table) {
  std::vector<LaunchArgument> arguments;
  const TomlValue* value = table.require("args");
  if (!value) return arguments;
  const auto* items = as_array(*value);
  if (!items) {
    reading.problems.add(*value, fmt::format("{} must be an array", table.name_of("args")));
    return arguments;
  }
  constexpr std::size_t arguments_max = 64;
  if (items->size() > arguments_max) {
    reading.problems.add(
        *value, fmt::format("{} has more than {} items", table.name_of("args"), arguments_max));
  }
  for (const TomlValue& item : *items) {
    if (auto argument = read_argument(reading, item)) arguments.push_back(std::move(*argument));
  }
  return arguments;
}

std::vector<Expression> read_sizes(KernelReading& reading, TableReader& table,
                                   const std::string& key) {
  const TomlValue* value = table.find(key);
  if (!value) return {};
  std::vector<Expression> sizes = table.expressions(key, reading.launch_names);
  const auto* items = as_array(*value);
  if (items && (items->empty() || items->size() > 3)) {
    reading.problems.add(*value, fmt::format("{} must have 1 to 3 items; it has {}",
                                             table.name_of(key), items->size()));
  }
  return sizes;
}

void read_step(KernelReading& reading, const TomlValue& value, bool only) {
  TableReader table(reading.problems, value, "launch");
  LaunchStep step;
  step.arguments = read_arguments(reading, table);
  step.grid = read_sizes(reading, table, "grid");
  step.block = read_sizes(reading, table, "block");
  const TomlValue* shared = table.find("shared");
  if (shared) {
    const auto bytes =
        expression_of(reading.problems, *shared, "launch.shared", reading.launch_names);
    if (bytes) step.shared = *bytes;
  }
  const TomlValue* entry = table.table("entry");
  step.entry = reading.kernel.entry;
  if (entry) {
    for (auto& [column, function] : read_entries(reading, *entry, "launch.entry")) {
      step.entry[column] = function;
    }
    for (const auto& [column, function] : step.entry) {
      if (!reading.kernel.entry.contains(column)) {
        reading.problems.add(
            *entry, fmt::format("launch.entry has column {}, which [entry] lacks", column));
      }
    }
  }
  const bool grid = table.find("grid"), block = table.find("block");
  if (!grid && (block || shared || entry || !only) && !is_python(reading.kernel)) {
    reading.problems.add(value, "a launch without grid is a host launcher: one step, args only",
                         "give grid and block, or leave block, shared, entry and further steps");
  } else if (grid && !block && !is_python(reading.kernel)) {
    table.require("block");
  }
  const std::string extension = source_kind(reading.kernel);
  if (grid && (extension == ".cpp" || extension == ".so")) {
    reading.problems.add(value,
                         fmt::format("{} sources have host launchers, without grid", extension));
  } else if (!grid && (extension == ".ptx" || extension == ".cubin")) {
    reading.problems.add(value, fmt::format("{} sources need grid and block", extension));
  }
  table.finish();
  reading.kernel.launch.push_back(std::move(step));
}

void check_outputs(KernelReading& reading, const TomlValue& where) {
  if (is_python(reading.kernel)) return;  // may return its outputs
  for (const TensorSchema& output : reading.op.outputs) {
    bool passed = false;
    for (const LaunchStep& step : reading.kernel.launch) {
      for (const LaunchArgument& argument : step.arguments) {
        passed = passed ||
                 (argument.what == LaunchArgument::What::tensor && argument.name == output.name);
      }
    }
    if (!passed) {
      reading.problems.add(where, fmt::format("no launch passes the output {}", output.name),
                           "name it among the args of a step");
    }
  }
}

}  // namespace

std::vector<std::string> launch_names(const OpSchema& op) {
  std::vector<std::string> names = expression_names(op);
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const TensorSchema& tensor : *tensors) {
      names.push_back(tensor.name + ".offset");
      for (std::size_t dimension = 0; dimension < tensor.shape.size(); ++dimension) {
        names.push_back(fmt::format("{}.stride({})", tensor.name, dimension));
        names.push_back(fmt::format("{}.size({})", tensor.name, dimension));
      }
    }
  }
  return names;
}

void read_workspace(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.table("workspace");
  if (!value) return;
  for (const TomlEntry& entry : *as_table(*value)) {
    const Place place{reading.problems.file(), entry.line, entry.column};
    const std::vector<std::string> taken = expression_names(reading.op);
    if (!is_identifier(entry.key) || entry.key == "stream") {
      reading.problems.add(place, fmt::format("\"{}\" is not a name for a workspace", entry.key));
    } else if (find_tensor(reading.op, entry.key) || find_attribute(reading.op, entry.key) ||
               find_axis(reading.op, entry.key)) {
      reading.problems.add(place, fmt::format("the name {} is taken by the op", entry.key));
    }
    const auto bytes = expression_of(reading.problems, entry.value, "workspace." + entry.key,
                                     expression_names(reading.op));
    if (bytes) reading.kernel.workspaces.push_back(Workspace{entry.key, *bytes});
  }
}

void read_launch(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.require("launch");
  if (!value) return;
  const auto* steps = as_array(*value);
  if (!steps) {
    reading.problems.add(
        *value, fmt::format("launch must be written [[launch]], not as {}", type_text(*value)));
    return;
  }
  if (steps->empty()) reading.problems.add(*value, "launch must have at least one step");
  const std::size_t before = reading.kernel.launch.size();
  for (const TomlValue& step : *steps) read_step(reading, step, steps->size() == 1);
  if (reading.kernel.launch.size() > before) check_outputs(reading, steps->front());
}

}  // namespace gate
