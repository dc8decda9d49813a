// Reading seeds/<op>/<kernel>-<fingerprint>.toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/spec/read.h"
#include "gate/spec/scalar_text.h"
#include "gate/spec/seed_layout.h"
#include "gate/spec/toml_reader.h"

namespace gate {
namespace {

std::optional<std::uint64_t> bits_of(Problems& problems, const TomlValue& value,
                                     const std::string& what) {
  const auto* text = std::get_if<std::string>(&value.content);
  const auto bits = text && text->starts_with("0x") ? parse_hex64(*text) : std::nullopt;
  if (!bits) {
    problems.add(value, fmt::format("{} must be a hexadecimal string", what),
                 "64-bit keys and bits are written \"0x00000000000000ff\"");
  }
  return bits;
}

std::uint64_t read_bits(Problems& problems, TableReader& table, const std::string& key) {
  const TomlValue* value = table.require(key);
  return value ? bits_of(problems, *value, table.name_of(key)).value_or(0) : 0;
}

/// Lower-case hex of `digits` digits; may be absent unless required.
std::string read_digest(Problems& problems, TableReader& table, const std::string& key,
                        bool required) {
  constexpr std::size_t digits = 64;  // SHA-256
  const auto text = required ? table.required_text(key) : table.text(key);
  if (text && !text->empty() && (text->size() != digits || !is_hex(*text))) {
    problems.add(*table.find(key), fmt::format("{} must be {} lower-case hexadecimal digits",
                                               table.name_of(key), digits));
  }
  return text.value_or("");
}

void read_elements(Problems& problems, TableReader& table, TensorChoice& tensor) {
  const TomlValue* value = table.find("elements");
  if (!value) return;
  const auto* items = as_array(*value);
  if (!items) {
    problems.add(*value, fmt::format("{} must be an array", table.name_of("elements")));
    return;
  }
  for (const TomlValue& item : *items) {
    const auto* pair = as_array(item);
    const auto* element =
        pair && pair->size() == 2 ? std::get_if<std::int64_t>(&pair->front().content) : nullptr;
    if (!element || *element < 0) {
      problems.add(item, fmt::format("an item of {} must be [element, \"0x<bits>\"]",
                                     table.name_of("elements")));
      continue;
    }
    const auto bits = bits_of(problems, pair->back(), "the bits of an element");
    if (bits) tensor.elements.push_back(ElementOverride{*element, *bits});
  }
}

TensorChoice read_tensor(Problems& problems, const TomlValue& value, const std::string& path) {
  TableReader table(problems, value, path);
  TensorChoice tensor;
  if (as_table(value)) tensor.layout = table.required_text("layout").value_or("contiguous");
  if (!is_identifier(tensor.layout)) {
    problems.add(value, fmt::format("{} must be a word", table.name_of("layout")));
  }
  tensor.padding = table.integer("padding").value_or(0);
  tensor.step = table.integer("step").value_or(1);
  tensor.offset = table.integer("offset").value_or(0);
  tensor.profile = table.text("profile").value_or("");
  if (!tensor.profile.empty() && !is_profile_text(tensor.profile)) {
    problems.add(value, fmt::format("{} must be like normal@1", table.name_of("profile")));
  }
  read_elements(problems, table, tensor);
  table.finish();
  return tensor;
}

void read_case_maps(Problems& problems, TableReader& table, Case& value) {
  if (const TomlValue* axes = table.table("axes")) {
    for (const TomlEntry& entry : *as_table(*axes)) {
      const auto size = integer_of(problems, entry.value, "case.axes." + entry.key);
      if (size) value.axes[entry.key] = *size;
    }
  }
  if (const TomlValue* attributes = table.table("attributes")) {
    for (const TomlEntry& entry : *as_table(*attributes)) {
      const auto* text = std::get_if<std::string>(&entry.value.content);
      const auto real = text ? parse_hex_float(*text) : std::nullopt;
      if (const auto* integer = std::get_if<std::int64_t>(&entry.value.content)) {
        value.attributes[entry.key] = *integer;
      } else if (real) {
        value.attributes[entry.key] = *real;
      } else {
        problems.add(entry.value,
                     fmt::format("case.attributes.{} must be an integer or a "
                                 "hexadecimal float as a string",
                                 entry.key),
                     "for example \"0x1.5p-17\"");
      }
    }
  }
  if (const TomlValue* tensors = table.table("tensors")) {
    for (const TomlEntry& entry : *as_table(*tensors)) {
      value.tensors[entry.key] = read_tensor(problems, entry.value, "case.tensors." + entry.key);
    }
  }
}

/// Names of axes, attributes and tensors: identifiers, each used once.
void check_case_names(Problems& problems, const TomlValue& where, const Case& value) {
  std::vector<std::string> names;
  for (const auto& [name, size] : value.axes) names.push_back(name);
  for (const auto& [name, scalar] : value.attributes) names.push_back(name);
  for (const auto& [name, tensor] : value.tensors) names.push_back(name);
  std::sort(names.begin(), names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_identifier(names[i])) {
      problems.add(where, fmt::format("case: \"{}\" is not a name", names[i]));
    } else if (i > 0 && names[i] == names[i - 1]) {
      problems.add(where, fmt::format("case: the name {} is used twice", names[i]));
    }
  }
}

void read_case(Problems& problems, TableReader& root, Case& value) {
  const TomlValue* where = root.require("case");
  if (!where) return;
  TableReader table(problems, *where, "case");
  value.op = table.required_text("op").value_or("");
  value.column = table.required_text("column").value_or("");
  value.property = table.required_text("property").value_or("");
  for (const auto& [key, valid] :
       {std::pair{"op", is_identifier(value.op)}, std::pair{"column", is_identifier(value.column)},
        std::pair{"property", is_property(value.property)}}) {
    const TomlValue* text = table.find(key);
    if (text && !valid) problems.add(*text, fmt::format("case.{} is not valid", key));
  }
  value.key = read_bits(problems, table, "key");
  const auto order = table.word("schedule", {"ascending", "descending", "shuffled"});
  if (order && *order != "ascending") {
    value.schedule.order =
        *order == "descending" ? Schedule::Order::descending : Schedule::Order::shuffled;
  }
  if (value.schedule.order == Schedule::Order::shuffled) {
    value.schedule.key = read_bits(problems, table, "schedule_key");
  } else if (!order) {
    table.find("schedule_key");  // the schedule itself is the problem
  }

  read_case_maps(problems, table, value);
  table.finish();
  check_case_names(problems, *where, value);
}

void read_finding(Problems& problems, TableReader& root, Seed& seed) {
  const TomlValue* where = root.require("finding");
  if (!where) return;
  TableReader table(problems, *where, "finding");
  seed.kernel = table.required_text("kernel").value_or("");
  std::vector<std::string> kinds;
  for (const Kind kind : all_kinds()) {
    if (colour(kind) == Colour::red) kinds.emplace_back(name(kind));
  }
  table.require("kind");
  if (const auto kind = table.word("kind", kinds)) seed.kind = *kind_named(*kind);
  seed.property = table.required_text("property").value_or("");
  seed.pattern = table.text("pattern").value_or("");
  seed.fingerprint = table.required_text("fingerprint").value_or("");
  seed.number = static_cast<int>(table.integer("number", {1, 9999}).value_or(1));
  seed.note = table.text("note").value_or("");
  table.finish();
  const TomlValue* kernel = table.find("kernel");
  if (kernel && !is_file_stem(seed.kernel)) {
    problems.add(*kernel, "finding.kernel is not a kernel's name");
  }
  const TomlValue* property = table.find("property");
  if (property && !is_property(seed.property)) {
    problems.add(*property, "finding.property is not a property",
                 "properties are value, special, law:<name>, repeat, memory, build");
  }
  const std::string expected =
      fingerprint(seed.test_case.op, seed.test_case.column, seed.property, seed.kind, seed.kernel);
  const TomlValue* print = table.find("fingerprint");
  if (print && problems.empty() && seed.fingerprint != expected) {
    problems.add(*print, "finding.fingerprint is not that of op, column, property, kind and kernel",
                 "it would be " + expected);
  }
}

void read_status(Problems& problems, TableReader& root, Seed& seed) {
  const TomlValue* where = root.table("status");
  if (!where) return;
  TableReader table(problems, *where, "status");
  table.require("is");
  const std::string word = table.word("is", {"open", "known", "fixed"}).value_or("open");
  seed.status = word == "known"   ? Seed::Status::known
                : word == "fixed" ? Seed::Status::fixed
                                  : Seed::Status::open;
  const bool known = seed.status == Seed::Status::known;
  for (const auto& [key, field] :
       {std::pair{"reason", &seed.reason}, std::pair{"owner", &seed.owner},
        std::pair{"expires", &seed.expires}}) {
    *field = (known ? table.required_text(key) : table.text(key)).value_or("");
    const TomlValue* value = table.find(key);
    if (value && std::string_view(key) == "expires" && !field->empty() && !is_date(*field)) {
      problems.add(*value, "status.expires must be YYYY-MM-DD");
    }
  }
  table.finish();
}

void read_evidence(Problems& problems, TableReader& root, Seed& seed) {
  if (const TomlValue* where = root.require("digest")) {
    TableReader table(problems, *where, "digest");
    seed.input_digest = read_digest(problems, table, "input", true);
    seed.output_digest = read_digest(problems, table, "output", false);
    table.finish();
  }
  if (const TomlValue* where = root.table("found")) {
    TableReader table(problems, *where, "found");
    seed.found_at = table.text("at").value_or("");
    seed.found_on = table.text("on").value_or("");
    seed.device = table.text("device").value_or("");
    if (!seed.found_on.empty() && !is_date(seed.found_on)) {
      problems.add(*table.find("on"), "found.on must be YYYY-MM-DD");
    }
    table.finish();
  }
  if (const TomlValue* where = root.table("embedded")) {
    for (const TomlEntry& entry : *as_table(*where)) {
      const auto hex = text_of(problems, entry.value, "embedded." + entry.key);
      if (!hex) continue;
      if (!is_hex(*hex) || hex->size() % 2 != 0 || hex->size() > 2 * embedded_bytes_max) {
        problems.add(entry.value, fmt::format("embedded.{} must be whole bytes in lower-case "
                                              "hexadecimal, at most {} of them",
                                              entry.key, embedded_bytes_max));
      } else if (!seed.test_case.tensors.contains(entry.key)) {
        problems.add(entry.value,
                     fmt::format("embedded.{}: the case has no such tensor", entry.key));
      }
      seed.embedded[entry.key] = *hex;
    }
  }
}

}  // namespace

Result<Seed> parse_seed(const std::string& text, const std::filesystem::path& file) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  Seed seed;
  seed.file = file;
  TableReader root(problems, *document, "");
  root.require("version");
  root.integer("version", {seed_version, seed_version});
  read_case(problems, root, seed.test_case);
  read_finding(problems, root, seed);
  read_status(problems, root, seed);
  read_evidence(problems, root, seed);
  root.finish();
  if (!problems.empty()) return problems.failure();
  return seed;
}

}  // namespace gate
