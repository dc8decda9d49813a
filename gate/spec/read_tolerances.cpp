// tolerances/<op>.toml, in and out.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/spec/read.h"
#include "gate/spec/toml_reader.h"

namespace gate {
namespace {

void check_row(Problems& problems, TableReader& table, const Tolerance& row) {
  const auto complain = [&](const char* key, const std::string& text, const std::string& hint) {
    const TomlValue* value = table.find(key);
    problems.add(value ? *value : table.value(), fmt::format("{} {}", table.name_of(key), text),
                 hint);
  };
  if (!(row.c >= 1) || std::isinf(row.c)) {
    complain("c", "must be a finite number, at least 1",
             "the envelope already is what a correct kernel may err");
  }
  if (row.exact && row.c != 1) complain("exact", "needs c = 1", "there is nothing to multiply");
  if (!(row.largest_ratio >= 0) || std::isinf(row.largest_ratio)) {
    complain("largest_ratio", "must be a finite number, at least 0", "");
  }
  if (!row.date.empty() && !is_date(row.date)) complain("date", "must be YYYY-MM-DD", "");
  if (row.origin == "calibrated" && (row.cases == 0 || row.kernels.empty() || row.date.empty())) {
    complain("origin", "= \"calibrated\" needs cases, kernels and date",
             "`gate calibrate` writes them");
  }
}

Tolerance read_row(Problems& problems, const TomlValue& value, const std::string& column) {
  TableReader table(problems, value, column);
  Tolerance row;
  if (as_table(value)) table.require("c");
  row.c = table.number("c").value_or(1);
  row.exact = table.boolean("exact").value_or(false);
  row.origin = table.word("origin", {"default", "calibrated"}).value_or("default");
  row.largest_ratio = table.number("largest_ratio").value_or(0);
  row.cases = table.integer("cases", {0, INT64_MAX}).value_or(0);
  row.kernels = table.texts("kernels");
  row.devices = table.texts("devices");
  row.date = table.text("date").value_or("");
  row.reason = table.text("reason").value_or("");
  check_row(problems, table, row);
  table.finish();

  return row;
}

std::string array_text(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(toml_string(item));
  return "[" + join(quoted, ", ") + "]";
}

}  // namespace

Result<ToleranceTable> parse_tolerances(const std::string& text,
                                        const std::filesystem::path& file) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  ToleranceTable table;
  table.file = file;
  TableReader root(problems, *document, "");
  table.op = root.required_text("op").value_or("");
  const std::string stem = file.stem().string();
  if (!table.op.empty() && table.op != stem) {
    problems.add(
        *root.find("op"),
        fmt::format("op is \"{}\", but the file is called {}", table.op, file.filename().string()),
        "the tolerances of an op stand in <op>.toml");
  }
  for (const TomlEntry& entry : root.entries()) {
    if (entry.key == "op") continue;
    if (!as_table(entry.value)) {
      problems.add(Place{problems.file(), entry.line, entry.column},
                   fmt::format("unknown key {}", entry.key), "every column is a table, [f32]");
    } else if (!is_identifier(entry.key)) {
      problems.add(Place{problems.file(), entry.line, entry.column},
                   fmt::format("\"{}\" is not a name of a column", entry.key));
    } else {
      table.rows[entry.key] = read_row(problems, entry.value, entry.key);
    }
  }
  if (!problems.empty()) return problems.failure();
  return table;
}

std::string to_toml(const ToleranceTable& table) {
  std::string text =
      "# Multipliers c of the envelope, one row per column. Written by `gate tolerances` and\n"
      "# `gate calibrate`; see the provenance in each row.\n";
  text += fmt::format("op = {}\n", toml_string(table.op));
  for (const auto& [column, row] : table.rows) {
    text += fmt::format("\n[{}]\nc = {}\n", column, number_text(row.c));
    if (row.exact) text += "exact = true\n";
    text += fmt::format("origin = {}\n", toml_string(row.origin));
    if (row.largest_ratio != 0) {
      text += fmt::format("largest_ratio = {}\n", number_text(row.largest_ratio));
    }
    if (row.cases != 0) text += fmt::format("cases = {}\n", row.cases);
    if (!row.kernels.empty()) text += fmt::format("kernels = {}\n", array_text(row.kernels));
    if (!row.devices.empty()) text += fmt::format("devices = {}\n", array_text(row.devices));
    if (!row.date.empty()) text += fmt::format("date = {}\n", toml_string(row.date));
    if (!row.reason.empty()) text += fmt::format("reason = {}\n", toml_string(row.reason));
  }
  return text;
}

}  // namespace gate
