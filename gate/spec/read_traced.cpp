// Reader and writer of traced.toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/spec/toml_reader.h"
#include "gate/spec/traced.h"

namespace gate {
namespace {

class TracedReader {
 public:
  TracedReader(Problems& problems, const OpSchema& op) : problems_(problems), op_(op) {}

  TracedWorkload read(const TomlValue& value) {
    TracedWorkload workload;
    TableReader table(problems_, value, "workload");
    const std::size_t before = problems_.count();
    for (const Axis& axis : op_.axes) read_axis(table, axis, workload);
    for (const Attribute& attribute : op_.attributes) read_attribute(table, attribute, workload);
    table.finish("a workload names axes and attributes of the op");
    if (problems_.count() == before) check_constraints(value, workload);
    return workload;
  }

 private:
  void read_axis(TableReader& table, const Axis& axis, TracedWorkload& workload) {
    const TomlValue* value =
        axis.min == axis.max ? table.find(axis.name) : table.require(axis.name);
    if (value == nullptr) {
      workload.axes[axis.name] = axis.min;
      return;
    }
    const auto size = integer_of(problems_, *value, axis.name);
    if (!size) return;
    const bool listed = axis.values.empty() || std::find(axis.values.begin(), axis.values.end(),
                                                         *size) != axis.values.end();
    if (*size < axis.min || *size > axis.max || !listed) {
      problems_.add(*value, fmt::format("{} = {} is not legal for the op", axis.name, *size),
                    fmt::format("op.toml allows {} to {}", axis.min, axis.max));
    }
    workload.axes[axis.name] = *size;
  }

  void read_attribute(TableReader& table, const Attribute& attribute, TracedWorkload& workload) {
    const TomlValue* value = table.find(attribute.name);
    if (value == nullptr) return;
    const auto number = number_of(problems_, *value, attribute.name);
    if (!number) return;
    const auto stored = [&](double value) { return rounded(attribute.dtype, value); };
    for (const Scalar& legal : attribute.values) {
      const auto* integer = std::get_if<std::int64_t>(&legal);
      const double known =
          integer != nullptr ? static_cast<double>(*integer) : std::get<double>(legal);
      if (stored(known) != stored(*number)) continue;
      workload.attributes[attribute.name] = legal;
      return;
    }
    problems_.add(*value, attribute.name + " has a value that op.toml does not list",
                  "add it to attributes." + attribute.name + ".values");
  }

  void check_constraints(const TomlValue& value, const TracedWorkload& workload) {
    IntegerValues values = workload.axes;
    for (const Attribute& attribute : op_.attributes) {
      const auto own = workload.attributes.find(attribute.name);
      const Scalar& scalar = own == workload.attributes.end() ? attribute.fallback : own->second;
      if (const auto* integer = std::get_if<std::int64_t>(&scalar)) {
        values[attribute.name] = *integer;
      }
    }
    for (const Expression& constraint : op_.contract.constraints) {
      const auto truth = constraint.value(values);
      if (truth && *truth != 0) continue;
      problems_.add(value, "the workload does not meet the op's constraint " + constraint.text());
    }
  }

  Problems& problems_;
  const OpSchema& op_;
};

std::string scalar_word(const Scalar& scalar) {
  const auto* integer = std::get_if<std::int64_t>(&scalar);
  if (integer != nullptr) return std::to_string(*integer);
  const std::string text = number_text(std::get<double>(scalar));
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace

Result<std::vector<TracedWorkload>> parse_traced(const std::string& text,
                                                 const std::filesystem::path& file,
                                                 const OpSchema& op) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  TableReader root(problems, *document, "");
  std::vector<TracedWorkload> workloads;
  const TomlValue* list = root.require("workload");
  const auto* tables = list != nullptr ? as_array(*list) : nullptr;
  if (list != nullptr && tables == nullptr) {
    problems.add(*list, "workload must be tables", "[[workload]]");
  }
  if (tables != nullptr) {
    for (const TomlValue& table : *tables) {
      if (as_table(table) == nullptr) {
        problems.add(table, "workload must be a table");
      } else {
        workloads.push_back(TracedReader(problems, op).read(table));
      }
    }
  }
  root.finish();
  if (!problems.empty()) return problems.failure();
  return workloads;
}

std::string to_toml(const std::vector<TracedWorkload>& workloads) {
  std::string text =
      "# Sizes of traced workloads: the strategy `traced` draws its cases at them.\n";
  for (const TracedWorkload& workload : workloads) {
    text += "[[workload]]\n";
    for (const auto& [axis, size] : workload.axes) text += fmt::format("{} = {}\n", axis, size);
    for (const auto& [name, value] : workload.attributes) {
      text += fmt::format("{} = {}\n", name, scalar_word(value));
    }
  }
  return text;
}

Result<std::vector<TracedWorkload>> traced_of(const OpSchema& op) {
  const std::filesystem::path file = op.folder / traced_file_name;
  std::error_code error;
  if (op.folder.empty() || !std::filesystem::exists(file, error)) {
    return std::vector<TracedWorkload>();
  }
  const Result<std::string> text = read_file(file);
  if (!text) return text.failure();
  return parse_traced(*text, file, op);
}

}  // namespace gate
