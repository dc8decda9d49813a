// [expect] of a kernel toml: one expectation per column, the base one unless a column has its own.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/spec/kernel_parts.h"

namespace gate {
namespace {

std::vector<std::string> red_kinds() {
  std::vector<std::string> names;
  for (const Kind kind : all_kinds()) {
    if (colour(kind) == Colour::red) names.emplace_back(name(kind));
  }
  return names;
}

/// class, kind and bug of a table over `base`; `has_class`: whether base has one, then the result.

Expectation read_one(KernelReading& reading, TableReader& table, const Expectation& base,
                     bool& has_class) {
  Expectation expectation = base;
  const auto word = table.word("class", {"clean", "illusion", "defect", "unchecked"});
  has_class = has_class || word;

  if (word) expectation.klass = *class_named(*word);
  if (word && (expectation.klass == Class::clean || expectation.klass == Class::unchecked)) {
    expectation.kind.reset();
    expectation.bug.clear();
  }
  if (const auto kind = table.word("kind", red_kinds())) expectation.kind = *kind_named(*kind);
  if (const auto bug = table.text("bug")) expectation.bug = *bug;
  const bool found = expectation.klass == Class::illusion || expectation.klass == Class::defect;
  for (const char* key : {"kind", "bug"}) {
    const TomlValue* value = table.find(key);
    if (value && !found && has_class) {
      reading.problems.add(*value, fmt::format("{} belongs to class illusion or defect, not {}",
                                               table.name_of(key), name(expectation.klass)));
    }
  }
  return expectation;
}

}  // namespace

void read_expect(KernelReading& reading, TableReader& root) {
  const TomlValue* value = root.table("expect");
  if (!value) return;
  if (reading.kernel.corpus.empty()) {
    reading.problems.add(*value, "[expect] needs a corpus label",
                         "give kernel.corpus a label, or leave [expect]");
  }
  TableReader table(reading.problems, *value, "expect");
  bool base_has_class = false;
  const Expectation base = read_one(reading, table, Expectation{}, base_has_class);
  for (const auto& [column, function] : reading.kernel.entry) {
    bool has_class = base_has_class;
    reading.kernel.expect[column] = base;
    if (const TomlValue* own = table.table(column)) {
      TableReader column_table(reading.problems, *own, table.name_of(column));
      reading.kernel.expect[column] = read_one(reading, column_table, base, has_class);

      column_table.finish();
    }
    if (!has_class && !table.find("class")) {
      reading.problems.add(*value, fmt::format("expect gives column {} no class", column),
                           "class = \"clean\", \"illusion\", \"defect\" or \"unchecked\"");
    }
  }
  table.finish();
}

}  // namespace gate
