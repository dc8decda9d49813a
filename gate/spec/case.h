// A case: one replayable input of a kernel column, and its one-line text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/base/expression.h"
#include "gate/base/result.h"
#include "gate/spec/op_schema.h"

namespace gate {

/// One element set by shrinking or by hand, by logical (row-major) number.
struct ElementOverride {
  std::int64_t element = 0;
  std::uint64_t bits = 0;
  bool operator==(const ElementOverride&) const = default;
};

/// What one tensor of a case looks like. Outputs have a layout, and no profile.
struct TensorChoice {
  std::string layout = "contiguous";
  std::int64_t padding = 0;           // row_pitch: elements added to each row
  std::int64_t step = 1;              // strided: distance of neighbours in the last dimension
  std::int64_t offset = 0;            // elements before the first one (offset, misalignment)
  std::string profile;                // "normal@1"; parameters: "constant@1(0x3f800000)"
  std::vector<ElementOverride> elements;
  bool operator==(const TensorChoice&) const = default;
};

/// Order in which emu runs blocks, warps and threads.
struct Schedule {
  enum class Order { ascending, descending, shuffled };
  Order order = Order::ascending;
  std::uint64_t key = 0;              // shuffled only
  bool operator==(const Schedule&) const = default;
};

struct Case {
  std::string op;
  std::string column;
  std::string property = "value";     // what is checked: value, special, law:<name>, repeat
  IntegerValues axes;
  std::map<std::string, Scalar> attributes;
  std::map<std::string, TensorChoice> tensors;
  std::uint64_t key = 0;              // input key
  Schedule schedule;
  bool operator==(const Case&) const = default;
};

/// One line, canonical: equal cases have equal texts. E.g.
/// softmax/f16 value rows=1 cols=129 eps=0x1.4f8b58p-17 x=row_pitch+3,normal@1 y=contiguous
/// key=0x00000000000000ff schedule=ascending
std::string to_text(const Case& value);
/// The inverse; checked against the schema separately (validate in cases/).
Result<Case> parse_case(const std::string& text);
/// Axes and integer attributes in one map, for expressions.
IntegerValues integer_values(const Case& value);

}  // namespace gate
