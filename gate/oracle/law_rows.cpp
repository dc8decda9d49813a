// Laws about rows: one row alone, permuted rows, other contents around one row.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/base/random.h"
#include "gate/oracle/law_subject.h"

namespace gate {
namespace {

/// The row a law looks at, drawn from the case's key so that all rows get their turn.
std::int64_t chosen_row(const LawSubject& subject, std::int64_t rows) {
  return static_cast<std::int64_t>(mix(subject.test_case.key, 0x726f77) %
                                   static_cast<std::uint64_t>(rows));
}

/// The case without elements set by number: they belong to the old shape.
Case without_overrides(const Case& value) {
  Case result = value;
  for (auto& [name, choice] : result.tensors) choice.elements.clear();
  return result;
}

/// Fills every input of `to` from the base, row `r` of row tensors from row `map(r)`.
void copy_rows(Inputs& to, const LawSubject& subject, const std::string& axis, const RowMap& map) {
  for (const TensorSchema& schema : subject.op.inputs) {
    Tensor* tensor = find_tensor(to, schema.name);
    const Tensor* base = find_tensor(subject.base, schema.name);
    if (tensor == nullptr || base == nullptr) continue;
    const std::optional<std::size_t> dimension = axis_dimension(schema, axis);
    const std::vector<std::int64_t>& shape = tensor->view.shape;
    std::int64_t inner = 1;
    for (std::size_t d = dimension.value_or(0) + 1; d < shape.size(); ++d) inner *= shape[d];
    copy_elements(*tensor, *base, [&](std::int64_t i) -> std::int64_t {
      if (!dimension) return i;
      const std::int64_t row = map(row_of(shape, i, *dimension));
      if (row < 0) return -1;
      const std::int64_t outer = i / (inner * shape[*dimension]);
      return (outer * base->view.shape[*dimension] + row) * inner + i % inner;
    });
  }
}

std::optional<LawRun> row_law(const LawSubject& subject, const Case& changed, const RowMap& inputs,
                              const RowMap& outputs) {
  const std::string axis = *row_axis(subject.op);
  std::optional<Inputs> transformed = inputs_of(changed, subject);
  if (!transformed) return std::nullopt;
  copy_rows(*transformed, subject, axis, inputs);
  LawRun run;
  run.base_element = output_rows(*transformed, subject, axis, outputs);
  run.transformed = std::move(*transformed);
  run.bitwise = is_bitwise(subject.op);
  return run;
}

}  // namespace

std::optional<LawRun> rows_independent(const LawSubject& subject) {
  const std::optional<std::int64_t> rows = row_count(subject);
  if (!rows) return std::nullopt;
  Case alone = without_overrides(subject.test_case);
  alone.axes[*row_axis(subject.op)] = 1;
  const std::int64_t row = chosen_row(subject, *rows);
  const RowMap only = [row](std::int64_t) { return row; };
  return row_law(subject, alone, only, only);
}

std::optional<LawRun> batch_independent(const LawSubject& subject) {
  const std::optional<std::int64_t> rows = row_count(subject);
  if (!rows) return std::nullopt;
  Case other = without_overrides(subject.test_case);
  other.key = mix(other.key, 0x6f74686572);
  const std::int64_t kept = chosen_row(subject, *rows);
  const RowMap keep = [kept](std::int64_t row) { return row == kept ? row : -1; };
  return row_law(subject, other, keep, keep);
}

std::optional<LawRun> permute_rows(const LawSubject& subject) {
  const std::optional<std::int64_t> rows = row_count(subject);
  if (!rows) return std::nullopt;
  const std::int64_t count = *rows, turn = chosen_row(subject, count);
  // Reversed and turned: every row moves into another neighbourhood, most into another block.
  const RowMap map = [count, turn](std::int64_t row) { return (count - 1 - row + turn) % count; };
  return row_law(subject, without_overrides(subject.test_case), map, map);
}

}  // namespace gate
