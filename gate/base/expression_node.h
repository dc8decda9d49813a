// The tree behind Expression: shared by its parser and its evaluation only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/base/expression.h"

namespace gate {

enum class Operation {
  literal,
  name,
  logical_or,
  logical_and,
  logical_not,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  negate,
  ceil_div,
  min,
  max,
  next_pow2,
};

struct Expression::Node {
  Operation operation = Operation::literal;
  std::int64_t literal = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
};

}  // namespace gate
