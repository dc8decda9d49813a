// Facts of a case that conditions are built from: sizes, attributes, layouts, what the inputs hold.
// Read off schema and bytes alone: nothing here knows an op or a kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"

namespace gate {

enum class FactKind {
  size,      // an axis, or a product of axes
  relation,  // one axis against another: their difference
  choice,    // an attribute: one of few values
  flag,      // true or false
  number,    // a magnitude
  position,  // an index
};

struct Fact {
  FactKind kind = FactKind::number;
  std::string text;       // "cols"; flags: what is said when it is true
  std::string otherwise;  // flags: what is said when it is false; relations: the other axis
  double simplicity = 1;  // cost of a condition on it
  double value = 0;       // NaN: does not apply to this case
};

/// Always the same facts in the same order for cases of one op and column.
std::vector<Fact> facts_of(const Case& value, const Inputs& inputs, const OpSchema& op);

/// The parts of facts_of.
void add_size_facts(std::vector<Fact>& facts, const Case& value, const OpSchema& op);
void add_layout_facts(std::vector<Fact>& facts, const Case& value, const OpSchema& op);
void add_tensor_facts(std::vector<Fact>& facts, const TensorSchema& schema, const Tensor& tensor);
/// Of a · b over the dimension that two float matrices share: a[i,k] with b[j,k].
void add_product_facts(std::vector<Fact>& facts, const OpSchema& op, const Inputs& inputs);

}  // namespace gate
