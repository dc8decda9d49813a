// Integer expressions of the TOML files: sizes, launch shapes, constraints.
// Grammar: or < and < not < comparison < + - < * / % < unary - < call, name, integer, (…).
// Calls: ceil_div min max next_pow2. Division truncates; by zero and overflow are errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate {

using IntegerValues = std::map<std::string, std::int64_t>;

class Expression {
 public:
  Expression() = default;  // the constant 0
  /// Names may contain dots (x.stride) and be called with one index: x.stride(0) is the name
  /// "x.stride(0)". Errors carry the column inside `text`.
  static Result<Expression> parse(const std::string& text);

  /// The value, or a problem (unknown name, division by zero, overflow). Truth is 1 or 0.
  Result<std::int64_t> evaluate(const IntegerValues& values) const;
  /// As evaluate, but nothing where it cannot be computed.
  std::optional<std::int64_t> value(const IntegerValues& values) const;
  const std::string& text() const { return text_; }
  /// Names it reads, sorted, without duplicates.
  std::vector<std::string> names() const;
  /// Every integer literal in it: tile candidates.
  std::vector<std::int64_t> literals() const;

  struct Node;

 private:
  std::string text_ = "0";
  std::shared_ptr<const Node> root_;
};

}  // namespace gate
