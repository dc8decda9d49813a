// The failing elements of an output seen as a matrix.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/failing.h"

#include <algorithm>

namespace gate {
namespace {

/// Output the unwritten elements belong to: the first whose size can hold them and that failed, or
/// the first at all.
const Comparison* decisive(const Verdict& verdict) {
  for (const Comparison& comparison : verdict.comparisons) {
    if (comparison.wrong + comparison.nonfinite > 0) return &comparison;
  }
  const bool by_poison = !verdict.unwritten.empty() && !verdict.comparisons.empty();
  return by_poison ? &verdict.comparisons.front() : nullptr;
}

}  // namespace

std::optional<Failing> failing_elements(const Verdict& verdict) {
  const Comparison* comparison = decisive(verdict);
  if (comparison == nullptr || comparison->elements == 0) return std::nullopt;
  Failing failing;
  failing.comparison = comparison;
  failing.columns = comparison->shape.empty() ? 1 : comparison->shape.back();
  failing.rows = comparison->elements / std::max<std::int64_t>(1, failing.columns);
  failing.marks.assign(static_cast<std::size_t>(comparison->elements), 0);
  std::copy(comparison->failed.begin(), comparison->failed.end(), failing.marks.begin());
  for (const std::int64_t element : verdict.unwritten) {
    const auto place = static_cast<std::size_t>(element);
    if (place < failing.marks.size() && failing.marks[place] == 0) failing.marks[place] = 1;
  }
  failing.in_row.assign(static_cast<std::size_t>(failing.rows), 0);
  failing.in_column.assign(static_cast<std::size_t>(failing.columns), 0);
  for (std::size_t place = 0; place < failing.marks.size(); ++place) {
    if (failing.marks[place] == 0) continue;
    ++failing.count;
    if (failing.marks[place] == 2) ++failing.nonfinite;
    ++failing.in_row[place / static_cast<std::size_t>(failing.columns)];
    ++failing.in_column[place % static_cast<std::size_t>(failing.columns)];
  }
  if (failing.count == 0) return std::nullopt;
  return failing;
}

}  // namespace gate
