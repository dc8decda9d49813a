// Working parts that several laws share: finding rows in tensors, rebuilding inputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/oracle/laws.h"

namespace gate {

/// Source row of each row of a tensor, given how many rows there are.
using RowMap = std::function<std::int64_t(std::int64_t row)>;

/// Row of a logical element, counted along `dimension`.
std::int64_t row_of(const std::vector<std::int64_t>& shape, std::int64_t element,
                    std::size_t dimension);

/// Copies element values by number: to[i] = from[source(i)], bit by bit; negative: left alone.
void copy_elements(Tensor& to, const Tensor& from,
                   const std::function<std::int64_t(std::int64_t)>& source);
/// base_element of every output: the element in row `map(row)` of a base with `base_rows` rows.
std::map<std::string, std::vector<std::int64_t>> output_rows(const Inputs& transformed,
                                                             const LawSubject& subject,
                                                             const std::string& axis,
                                                             const RowMap& map);
/// As output_rows where every element stays where it is.
std::map<std::string, std::vector<std::int64_t>> same_elements(const Inputs& inputs);
/// Rows of the case along the row axis; nothing where there is no such axis or only one row.
std::optional<std::int64_t> row_count(const LawSubject& subject);
/// A valid input tensor set for a changed case, or nothing where the schema forbids it.
std::optional<Inputs> inputs_of(const Case& value, const LawSubject& subject);
bool is_bitwise(const OpSchema& op);

// One function per law: see the table in laws.cpp for what each does.
std::optional<LawRun> rows_independent(const LawSubject& subject);
std::optional<LawRun> batch_independent(const LawSubject& subject);
std::optional<LawRun> permute_rows(const LawSubject& subject);
std::optional<LawRun> shift_invariant(const LawSubject& subject);
std::optional<LawRun> scale_by_power_of_two(const LawSubject& subject);
std::optional<LawRun> padding_invariant(const LawSubject& subject);

}  // namespace gate
