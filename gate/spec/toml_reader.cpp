// Typed access to TOML trees; every mismatch becomes a problem with place and hint.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"

namespace gate {
namespace {

const TomlValue& empty_table() {
  static const TomlValue value{TomlTable{}, 0, 0, 0};
  return value;
}

const TomlTable& table_or_empty(const TomlValue& value) {
  const TomlTable* table = as_table(value);
  return table ? *table : std::get<TomlTable>(empty_table().content);
}

}  // namespace

void Problems::add(const TomlValue& where, std::string text, std::string hint) {
  add(place(where), std::move(text), std::move(hint));
}

void Problems::add(Place where, std::string text, std::string hint) {
  problems_.push_back(Problem{std::move(where), std::move(text), std::move(hint)});
}

Failure Problems::failure() const {
  check(!empty(), "a failure is asked only of a file with problems");
  Failure failure{Fault::user, problems_};
  std::stable_sort(failure.problems.begin(), failure.problems.end(),
                   [](const Problem& a, const Problem& b) {
                     return a.place.line != b.place.line ? a.place.line < b.place.line
                                                         : a.place.column < b.place.column;
                   });
  return failure;
}

TableReader::TableReader(Problems& problems, const TomlValue& table, std::string path)
    : problems_(problems), table_(&table_or_empty(table)), value_(&table), path_(std::move(path)) {
  if (!as_table(table)) {
    problems_.add(table, fmt::format("{} must be a table, not {}", path_, type_text(table)));
  }
}

TableReader::TableReader(Problems& problems, std::string path)
    : TableReader(problems, empty_table(), std::move(path)) {}

std::string TableReader::name_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

const TomlValue* TableReader::find(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  for (const TomlEntry& entry : *table_) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

const TomlValue* TableReader::require(const std::string& key) {
  const TomlValue* value = find(key);
  if (!value) problems_.add(*value_, fmt::format("{} is missing", name_of(key)));
  return value;
}

std::optional<std::string> TableReader::text(const std::string& key) {
  const TomlValue* value = find(key);
  return value ? text_of(problems_, *value, name_of(key)) : std::nullopt;
}

std::optional<std::string> TableReader::required_text(const std::string& key) {
  const TomlValue* value = require(key);
  if (!value) return std::nullopt;
  auto text = text_of(problems_, *value, name_of(key));
  if (text && trim(*text).empty()) {
    problems_.add(*value, fmt::format("{} must not be empty", name_of(key)));
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> TableReader::word(const std::string& key,
                                             const std::vector<std::string>& allowed) {
  const TomlValue* value = find(key);
  if (!value) return std::nullopt;
  auto text = text_of(problems_, *value, name_of(key));
  if (text && std::find(allowed.begin(), allowed.end(), *text) == allowed.end()) {
    problems_.add(
        *value,
        fmt::format("{} must be one of {}; it is \"{}\"", name_of(key), join(allowed, ", "), *text),
        typo_hint(*text, allowed));
    return std::nullopt;
  }
  return text;
}

std::optional<std::int64_t> TableReader::integer(const std::string& key, IntegerRange range) {
  const TomlValue* value = find(key);
  if (!value) return std::nullopt;
  const auto integer = integer_of(problems_, *value, name_of(key));
  if (integer && (*integer < range.low || *integer > range.high)) {
    const std::string allowed = range.low == range.high
                                    ? std::to_string(range.low)
                                    : fmt::format("{} to {}", range.low, range.high);
    problems_.add(*value, fmt::format("{} must be {}; it is {}", name_of(key), allowed, *integer));
    return std::nullopt;
  }
  return integer;
}

std::optional<bool> TableReader::boolean(const std::string& key) {
  const TomlValue* value = find(key);
  return value ? boolean_of(problems_, *value, name_of(key)) : std::nullopt;
}

std::optional<double> TableReader::number(const std::string& key) {
  const TomlValue* value = find(key);
  return value ? number_of(problems_, *value, name_of(key)) : std::nullopt;
}

std::optional<DType> TableReader::dtype(const std::string& key) {
  const TomlValue* value = find(key);
  return value ? dtype_of(problems_, *value, name_of(key)) : std::nullopt;
}

std::vector<std::string> TableReader::texts(const std::string& key) {
  std::vector<std::string> texts;
  const TomlValue* value = find(key);
  if (!value) return texts;
  const auto* items = as_array(*value);
  if (!items) {
    problems_.add(*value, fmt::format("{} must be an array of strings, not {}", name_of(key),
                                      type_text(*value)));
    return texts;
  }
  for (const TomlValue& item : *items) {
    if (auto text = text_of(problems_, item, "an item of " + name_of(key))) texts.push_back(*text);
  }
  return texts;
}

std::vector<Expression> TableReader::expressions(const std::string& key,
                                                 const std::vector<std::string>& names) {
  std::vector<Expression> expressions;
  const TomlValue* value = find(key);
  if (!value) return expressions;
  const auto* items = as_array(*value);
  if (!items) {
    problems_.add(*value, fmt::format("{} must be an array of expressions, not {}", name_of(key),
                                      type_text(*value)));
    return expressions;
  }
  for (const TomlValue& item : *items) {
    auto expression = expression_of(problems_, item, "an item of " + name_of(key), names);
    if (expression) expressions.push_back(*expression);
  }
  return expressions;
}

const TomlValue* TableReader::table(const std::string& key) {
  const TomlValue* value = find(key);
  if (value && !as_table(*value)) {
    problems_.add(*value,
                  fmt::format("{} must be a table, not {}", name_of(key), type_text(*value)));
    return nullptr;
  }
  return value;
}

void TableReader::finish(const std::string& hint) {
  for (const TomlEntry& entry : *table_) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) continue;
    problems_.add(Place{problems_.file(), entry.line, entry.column},
                  fmt::format("unknown key {}", name_of(entry.key)),
                  hint.empty() ? word_hint(entry.key, asked_) : hint);
  }
}

}  // namespace gate
