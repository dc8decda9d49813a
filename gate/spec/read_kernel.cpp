// Reading kernels/<name>.toml against its op.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/spec/kernel_parts.h"
#include "gate/spec/op_parts.h"
#include "gate/spec/tiles.h"

namespace gate {
namespace {

const std::vector<std::string> source_extensions = {".cu", ".cpp", ".so", ".ptx", ".cubin", ".py"};

void read_source(KernelReading& reading, TableReader& table) {
  const auto source = table.required_text("source");
  if (!source) return;
  const TomlValue& where = *table.find("source");
  const std::filesystem::path name(*source);
  if (name.filename() != name || *source == "." || *source == "..") {
    reading.problems.add(where,
                         fmt::format("kernel.source must be a file name; it is \"{}\"", *source),
                         "the source stands beside its toml");
    return;
  }
  reading.kernel.source =
      std::filesystem::absolute(reading.kernel.file.parent_path() / name).lexically_normal();
  const std::string extension = source_kind(reading.kernel);
  if (std::find(source_extensions.begin(), source_extensions.end(), extension) ==
      source_extensions.end()) {
    reading.problems.add(where,
                         fmt::format("kernel.source: no device runs \"{}\" files", extension),
                         "sources are " + join(source_extensions, " "));
    return;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(reading.kernel.source, error)) {
    reading.problems.add(where, fmt::format("kernel.source: there is no file {}", *source),
                         "the source stands beside its toml");
  }
}

void read_tiles(KernelReading& reading, TableReader& table) {
  const TomlValue* value = table.find("tiles");
  if (!value) return;
  const auto* items = as_array(*value);
  if (!items) {
    reading.problems.add(*value, "kernel.tiles must be an array of integers");
    return;
  }
  constexpr std::int64_t declared_max = 1 << 20;
  for (const TomlValue& item : *items) {
    const auto tile = integer_of(reading.problems, item, "an item of kernel.tiles");
    if (!tile) continue;
    if (*tile < 2 || *tile > declared_max) {
      reading.problems.add(item, fmt::format("an item of kernel.tiles must be 2 to {}; it is {}",
                                             declared_max, *tile));
    }
    reading.kernel.tiles.push_back(*tile);
  }
}

void read_defines(KernelReading& reading, TableReader& table) {
  const TomlValue* value = table.table("defines");
  if (!value) return;
  TableReader defines(reading.problems, *value, "kernel.defines");
  for (const std::string& column : reading.op.columns) {
    const TomlValue* list = defines.find(column);
    if (!list) continue;
    for (const std::string& define : defines.texts(column)) {
      if (!is_identifier(define.substr(0, define.find('='))) ||
          define.find('\n') != std::string::npos) {
        reading.problems.add(*list, fmt::format("kernel.defines.{}: \"{}\" is neither NAME nor "
                                                "NAME=VALUE",
                                                column, define));
      }
      reading.kernel.defines[column].push_back(define);
    }
  }
  defines.finish();
}

void read_head(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.require("kernel");
  if (!value) return;
  TableReader table(reading.problems, *value, "kernel");
  const auto op = table.required_text("op");
  if (op && *op != reading.op.name) {
    reading.problems.add(*table.find("op"),
                         fmt::format("kernel.op is \"{}\", but the file belongs to op \"{}\"", *op,
                                     reading.op.name));
  }
  reading.kernel.op = reading.op.name;
  read_source(reading, table);
  reading.kernel.corpus = table.text("corpus").value_or("");
  reading.kernel.author = table.text("author").value_or("");
  for (const auto& [key, label] :
       {std::pair{"corpus", &reading.kernel.corpus}, std::pair{"author", &reading.kernel.author}}) {
    const TomlValue* where = table.find(key);
    if (where && std::holds_alternative<std::string>(where->content) && !is_file_stem(*label)) {
      reading.problems.add(*where, fmt::format("kernel.{} must be letters, digits and . - _", key));
    }
  }
  read_tiles(reading, table);
  read_defines(reading, table);
  table.finish();
}

void read_entry(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.table("entry");
  if (!value) {
    root.require("entry");
    return;
  }
  reading.kernel.line = value->line;
  reading.kernel.entry = read_entries(reading, *value, "entry");
  if (as_table(*value)->empty()) {
    reading.problems.add(*value, "entry must name a function for at least one column");
  }
}

void read_domain(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.table("domain");
  if (!value) return;
  TableReader table(reading.problems, *value, "domain");
  reading.kernel.constraints = table.expressions("constraints", reading.launch_names);
  constexpr std::int64_t alignment_max = 1024;
  const auto alignment = table.integer("alignment", {1, alignment_max});
  if (alignment && (*alignment & (*alignment - 1)) != 0) {
    reading.problems.add(
        *table.find("alignment"),
        fmt::format("domain.alignment must be a power of two; it is {}", *alignment));
  }
  reading.kernel.alignment = alignment.value_or(0);
  table.finish();
}

/// Tiles of the source and of launch expressions.
void mine(KernelSpec& kernel) {
  std::vector<std::int64_t>& tiles = kernel.mined_tiles;
  const std::string extension = source_kind(kernel);
  if (extension == ".cu" || extension == ".cpp" || extension == ".py" || extension == ".ptx") {
    if (const auto source = read_file(kernel.source)) {
      for (const MinedTile& tile : mine_tiles(*source)) tiles.push_back(tile.value);
    }
  }
  for (const LaunchStep& step : kernel.launch) {
    std::vector<const Expression*> expressions = {&step.shared};
    for (const Expression& size : step.grid) expressions.push_back(&size);
    for (const Expression& size : step.block) expressions.push_back(&size);
    for (const Expression* expression : expressions) {
      for (const std::int64_t literal : expression->literals()) {
        if (literal >= tile_min && literal <= tile_max) tiles.push_back(literal);
      }
    }
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
}

Result<std::string> head_key(const std::string& text, const std::filesystem::path& file,
                             const std::string& key) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  TableReader root(problems, *document, "");
  std::optional<std::string> value;
  if (const TomlValue* kernel = root.require("kernel")) {
    value = TableReader(problems, *kernel, "kernel").required_text(key);
  }
  if (!value) return problems.failure();
  return *value;
}

}  // namespace

bool is_python(const KernelSpec& kernel) { return source_kind(kernel) == ".py"; }

bool is_entry(std::string_view text) {
  if (text.empty() || text.size() > 200 || !is_identifier(text.substr(0, 1))) return false;
  int depth = 0;
  for (const char c : text) {
    if (c == '<') ++depth;
    if (c == '>' && depth-- == 0) return false;
    const bool outside = is_identifier(std::string("_") + c) || c == ':' || c == '.';
    const bool inside = outside || std::string_view("<>, *&-").find(c) != std::string_view::npos;
    if (depth > 0 || c == '>' ? !inside : !outside) return false;
  }
  return depth == 0;
}

std::map<std::string, std::string> read_entries(KernelReading& reading, const TomlValue& value,
                                                const std::string& what) {
  std::map<std::string, std::string> entries;
  TableReader table(reading.problems, value, what);
  for (const std::string& column : reading.op.columns) {
    const TomlValue* function = table.find(column);
    if (!function) continue;
    const auto text = text_of(reading.problems, *function, table.name_of(column));
    if (!text) continue;
    if (!is_entry(*text)) {
      reading.problems.add(
          *function,
          fmt::format("{} must be a function name; it is \"{}\"", table.name_of(column), *text),
          "template instances are written softmax<float>");
    }
    entries[column] = *text;
  }
  table.finish();
  return entries;
}

Result<KernelSpec> parse_kernel(const std::string& text, const std::filesystem::path& file,
                                const OpSchema& op) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  KernelSpec kernel;
  kernel.name = file.stem().string();
  kernel.file = file;
  KernelReading reading{problems, kernel, op, launch_names(op)};
  if (!is_file_stem(kernel.name)) {
    problems.add(*document, fmt::format("a kernel must not be called \"{}\"", kernel.name),
                 "letters, digits and . - _, starting with a letter or digit");
  }
  TableReader root(problems, *document, "");
  read_head(reading, root);
  read_entry(reading, root);
  read_workspace(reading, root);
  read_launch(reading, root);
  read_domain(reading, root);
  read_expect(reading, root);
  root.finish();
  if (!problems.empty()) return problems.failure();
  mine(kernel);
  return kernel;
}

Result<std::string> parse_kernel_op(const std::string& text, const std::filesystem::path& file) {
  return head_key(text, file, "op");
}

Result<std::string> parse_kernel_source(const std::string& text,
                                        const std::filesystem::path& file) {
  return head_key(text, file, "source");
}

}  // namespace gate
