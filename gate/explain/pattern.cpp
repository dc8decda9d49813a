// Patterns: one row of the table each. A row tells whether the pattern holds at all, and whether it
// says something there; the first row that does names the verdict.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/pattern.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gate/base/text.h"
#include "gate/explain/failing.h"
#include "gate/explain/finding.h"

namespace gate {
namespace {

constexpr std::int64_t elements_for_factor = 4;  // fewer agree on a factor by chance
constexpr std::int64_t period_max = 64;

bool near(double a, double b) { return std::abs(a - b) <= 1e-2 * std::max(1e-2, std::abs(b)); }

/// A factor somebody would write: it identifies a bug. Others vary with the data.
std::optional<double> plain_factor(double factor) {
  for (const double plain : {2.0, 0.5, 4.0, 0.25, 3.0, -2.0, -0.5}) {
    if (near(factor, plain)) return plain;
  }
  return std::nullopt;
}

/// First of a run of non-zero counts that reaches to the end; nothing if there is a gap in it.
std::optional<std::int64_t> suffix_begin(const std::vector<std::int64_t>& counts) {
  const auto first = std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
  if (!std::all_of(first, counts.end(), [](auto n) { return n > 0; })) return std::nullopt;
  return first - counts.begin();
}

std::int64_t non_zero(const std::vector<std::int64_t>& counts) {
  return std::count_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
}

std::int64_t first_non_zero(const std::vector<std::int64_t>& counts) {
  return std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; }) - counts.begin();
}

bool complete_rows(const Failing& failing) {
  return std::all_of(failing.in_row.begin(), failing.in_row.end(),
                     [&](std::int64_t count) { return count == 0 || count == failing.columns; });
}

/// Smallest period of the failing columns, seen at least twice; nothing if there is none.
std::optional<std::int64_t> period(const Failing& failing) {
  const std::vector<std::int64_t>& counts = failing.in_column;
  const auto columns = static_cast<std::int64_t>(counts.size());
  for (std::int64_t length = 2; length <= period_max && length * 2 <= columns; ++length) {
    bool holds = true;
    for (std::int64_t c = length; c < columns && holds; ++c) {
      const bool fails = counts[static_cast<std::size_t>(c)] > 0;
      holds = fails == (counts[static_cast<std::size_t>(c - length)] > 0);
    }
    if (holds) return length;
  }
  return std::nullopt;
}

bool factor_is(const Failing& failing, double value) {
  const std::optional<double>& factor = failing.comparison->factor;
  return factor && near(*factor, value);
}

struct PatternRow {
  std::string_view name;
  bool (*holds)(const Failing&);
  bool (*tells)(const Failing&);  // besides holding
  std::string (*detail)(const Failing&);
};

/// Patterns that one bug keeps whatever the data; how far others reach depends on what is visible.
constexpr std::array<std::string_view, 6> by_place_or_sign = {
    "sign", "tail columns", "one row", "one column", "tail rows", "stripes"};

bool always(const Failing&) { return true; }
bool many(const Failing& f) { return f.comparison->elements >= elements_for_factor; }
std::string nothing(const Failing&) { return {}; }

const auto& pattern_rows() {
  static const std::array<PatternRow, 12> rows = {{
      {"nan spread", [](const Failing& f) { return f.nonfinite == f.count; }, always,
       [](const Failing& f) {
         const bool whole = complete_rows(f);
         return fmt::format("{} of {} rows{}", non_zero(f.in_row), f.rows, whole ? ", whole" : "");
       }},
      {"all zero", [](const Failing& f) { return factor_is(f, 0); }, many, nothing},
      {"sign", [](const Failing& f) { return factor_is(f, -1); }, many, nothing},
      {"constant factor", [](const Failing& f) { return f.comparison->factor.has_value(); }, many,
       [](const Failing& f) {
         const double factor = *f.comparison->factor;
         if (std::abs(factor - 1) < 1e-3) return fmt::format("1 {:+.2g}", factor - 1);
         return fmt::format("{:.4g}", plain_factor(factor).value_or(factor));
       }},
      {"all elements", [](const Failing& f) { return f.count == f.comparison->elements; }, always,
       nothing},
      {"tail columns", [](const Failing& f) { return suffix_begin(f.in_column).has_value(); },
       [](const Failing& f) { return f.columns > 2 && first_non_zero(f.in_column) > 0; },
       [](const Failing& f) {
         return fmt::format("columns {}.. of {}", first_non_zero(f.in_column), f.columns);
       }},
      {"one row", [](const Failing& f) { return non_zero(f.in_row) == 1; },
       [](const Failing& f) { return f.rows > 1 && f.columns > 1; },
       [](const Failing& f) {
         return fmt::format("row {} of {}", first_non_zero(f.in_row), f.rows);
       }},
      {"one column", [](const Failing& f) { return non_zero(f.in_column) == 1; },
       [](const Failing& f) { return f.columns > 1; },
       [](const Failing& f) {
         return fmt::format("column {} of {}", first_non_zero(f.in_column), f.columns);
       }},
      {"tail rows", [](const Failing& f) { return suffix_begin(f.in_row).has_value(); },
       [](const Failing& f) { return f.rows > 2 && first_non_zero(f.in_row) > 0; },
       [](const Failing& f) {
         return fmt::format("rows {}.. of {}", first_non_zero(f.in_row), f.rows);
       }},
      {"whole rows", complete_rows, [](const Failing& f) { return f.columns > 1; },
       [](const Failing& f) { return fmt::format("{} of {}", non_zero(f.in_row), f.rows); }},
      // A period over every column is no stripe; on few columns any pattern may be one.
      {"stripes", [](const Failing& f) { return f.columns < 4 || period(f).has_value(); },
       [](const Failing& f) { return f.columns >= 4 && non_zero(f.in_column) < f.columns; },
       [](const Failing& f) { return fmt::format("every {} columns", *period(f)); }},
      {"scattered", always, always, nothing},
  }};
  return rows;
}

const PatternRow& naming_row(const Failing& failing) {
  for (const PatternRow& row : pattern_rows()) {
    if (row.holds(failing) && row.tells(failing)) return row;
  }
  return pattern_rows().back();
}

/// A factor is one bug's only where it is the same in every case.
bool same_factor(const PatternRow& row, const Failing& first, const Failing& other) {
  if (row.name != "constant factor") return true;
  return near(*other.comparison->factor, *first.comparison->factor);
}

bool values_tell(Kind kind) { return kind == Kind::wrong || kind == Kind::nonfinite; }

}  // namespace

Pattern find_pattern(const Verdict& verdict) {
  const std::optional<Failing> failing = failing_elements(verdict);
  if (!values_tell(verdict.kind) || !failing) return {std::string(name(verdict.kind)), {}};
  const PatternRow& row = naming_row(*failing);
  return {std::string(row.name), row.detail(*failing)};
}

Pattern common_pattern(const Verdict& first, const std::vector<const Verdict*>& others) {
  const std::optional<Failing> failing = failing_elements(first);
  if (!values_tell(first.kind) || !failing) return {std::string(name(first.kind)), {}};
  std::vector<Failing> all;
  for (const Verdict* other : others) {
    if (auto seen = failing_elements(*other)) all.push_back(std::move(*seen));
  }
  for (const PatternRow& row : pattern_rows()) {
    if (!row.holds(*failing)) continue;
    std::size_t holding = 0, telling = row.tells(*failing) ? 1 : 0;
    for (const Failing& each : all) {
      const bool agrees = row.holds(each) && same_factor(row, *failing, each);
      holding += agrees;
      telling += agrees && row.tells(each);
    }
    const bool shared = holding * 10 >= all.size() * 9 && telling * 2 >= all.size();
    if (telling > 0 && shared) return {std::string(row.name), row.detail(*failing)};
  }
  return {std::string(pattern_rows().back().name), {}};
}

bool same_pattern(const Verdict& candidate, const Verdict& original) {
  if (candidate.kind != original.kind || candidate.property != original.property) return false;
  const std::optional<Failing> before = failing_elements(original);
  const std::optional<Failing> after = failing_elements(candidate);
  if (!values_tell(original.kind) || !before || !after) return true;
  const PatternRow& row = naming_row(*before);
  if (!row.holds(*after)) return false;
  if (row.name != "constant factor") return true;
  const std::optional<double> plain = plain_factor(*before->comparison->factor);
  return !plain || factor_is(*after, *plain);
}

bool tells_place(std::string_view pattern) {
  return std::find(by_place_or_sign.begin(), by_place_or_sign.end(), pattern) !=
         by_place_or_sign.end();
}

bool contradicts(const Verdict& verdict, std::string_view pattern) {
  return tells_place(pattern) && !pattern_holds(verdict, pattern);
}

bool pattern_holds(const Verdict& verdict, std::string_view pattern) {
  const std::optional<Failing> failing = failing_elements(verdict);
  if (!values_tell(verdict.kind) || !failing) return pattern == name(verdict.kind);
  for (const PatternRow& row : pattern_rows()) {
    if (row.name == pattern) return row.holds(*failing);
  }
  return false;
}

std::string pattern_of(const Verdict& verdict) { return find_pattern(verdict).name; }

}  // namespace gate
