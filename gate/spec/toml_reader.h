// Strict reading of TOML trees: collects every problem of a file, knows which keys were asked for
// and reports the others with the nearest known word.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/expression.h"
#include "gate/spec/toml_document.h"
#include "gate/spec/words.h"
#include "gate/tensor/dtype.h"

namespace gate {

/// Everything found wrong with one file.
class Problems {
 public:
  explicit Problems(const std::filesystem::path& file) : file_(file.string()) {}

  void add(const TomlValue& where, std::string text, std::string hint = {});
  void add(Place where, std::string text, std::string hint = {});
  Place place(const TomlValue& where) const { return Place{file_, where.line, where.column}; }
  const std::string& file() const { return file_; }
  bool empty() const { return problems_.empty(); }
  std::size_t count() const { return problems_.size(); }
  /// Sorted by place; asked only when not empty.
  Failure failure() const;

 private:
  std::string file_;
  std::vector<Problem> problems_;
};

/// One value of an expected type; a problem and nothing otherwise. `what` names it in messages.
std::optional<std::string> text_of(Problems& problems, const TomlValue& value,
                                   const std::string& what);
std::optional<std::int64_t> integer_of(Problems& problems, const TomlValue& value,
                                       const std::string& what);
/// Integers, floats and strings of hexadecimal floats.
std::optional<double> number_of(Problems& problems, const TomlValue& value,
                                const std::string& what);
std::optional<bool> boolean_of(Problems& problems, const TomlValue& value, const std::string& what);
std::optional<DType> dtype_of(Problems& problems, const TomlValue& value, const std::string& what);
/// An expression from a string or an integer; its errors point into the string, and it may read
/// only `names` (empty list: none).
std::optional<Expression> expression_of(Problems& problems, const TomlValue& value,
                                        const std::string& what,
                                        const std::vector<std::string>& names);

struct IntegerRange {
  std::int64_t low = INT64_MIN;
  std::int64_t high = INT64_MAX;
};

/// A table being read: `finish` reports the keys nobody asked for.
class TableReader {
 public:
  /// `path` as people write it, "contract" or "inputs.x"; empty for the root.
  TableReader(Problems& problems, const TomlValue& table, std::string path);
  /// A table without any keys, for an absent one.
  TableReader(Problems& problems, std::string path);

  const TomlValue* find(const std::string& key);
  /// As find, with a problem if the key is absent.
  const TomlValue* require(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::optional<std::string> required_text(const std::string& key);
  std::optional<std::string> word(const std::string& key, const std::vector<std::string>& allowed);
  std::optional<std::int64_t> integer(const std::string& key, IntegerRange range = {});
  std::optional<bool> boolean(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<DType> dtype(const std::string& key);
  /// Strings of an array; empty if absent.
  std::vector<std::string> texts(const std::string& key);
  std::vector<Expression> expressions(const std::string& key,
                                      const std::vector<std::string>& names);
  /// A table below, or nothing; a problem if it is something else.
  const TomlValue* table(const std::string& key);
  const TomlTable& entries() const { return *table_; }
  std::string name_of(const std::string& key) const;
  const TomlValue& value() const { return *value_; }
  void finish(const std::string& hint = {});

 private:
  Problems& problems_;
  const TomlTable* table_;
  const TomlValue* value_;
  std::string path_;
  std::vector<std::string> asked_;
};

}  // namespace gate
