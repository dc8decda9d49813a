// An op schema: what op.toml says, checked. Plain values; the reader is spec/read.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gate/base/expression.h"
#include "gate/tensor/dtype.h"

namespace gate {

/// Attribute and scalar values: integers and booleans as int64, floats as double.
using Scalar = std::variant<std::int64_t, double>;

struct Axis {
  std::string name;
  std::int64_t min = 1;
  std::int64_t max = 1;
  std::vector<std::int64_t> values;   // if given, the only legal ones (sorted)
};

struct Attribute {
  std::string name;
  DType dtype = DType::f32;           // f32, f64, i32, i64, bool
  Scalar fallback;                    // `default`
  std::vector<Scalar> values;         // all legal values, the default among them
};

/// Domain of an integer tensor: `domain = { kind = "index", below = "cols" }`.
struct IntegerDomain {
  std::string kind = "range";         // range | index | permutation | sorted | few | full | boolean
  Expression low;                     // range, few, sorted: low and high, both included
  Expression high;                    // index: `below`, excluded (values are 0 to high - 1);
                                      // others: unused (permutation: of the last dimension)
};

struct TensorSchema {
  std::string name;
  std::vector<Expression> shape;      // over axes and attributes; empty: a scalar tensor
  std::vector<std::string> layouts;   // "contiguous" first; contiguous row_pitch strided offset
                                      // transposed broadcast (stride 0, inputs only)
  std::vector<std::string> profiles;  // value profile names without version; inputs only
  std::optional<IntegerDomain> domain;  // integer tensors
  std::string accept;                 // outputs: "" | "argmax:x" | "argmin:x" (any such index)
};

struct Contract {
  std::string nan = "parity";             // parity | any
  std::optional<DType> accumulate;        // absent: f32
  std::optional<DType> intermediate;      // absent: f32; scores, probabilities … stored as
  bool intermediate_as_input = false;     // intermediate = "input": the column's input dtype
  bool fast_math = false;
  bool flush_to_zero = false;
  bool tf32 = false;
  bool saturate = false;                  // overflow gives ±MAX instead of infinity
  bool truncating_store = false;          // 2·u_out allowed
  bool signed_zero = false;               // exact ops: -0 and 0 differ
  std::string determinism = "bitwise";    // bitwise | within_envelope
  std::vector<std::string> laws;
  std::vector<Expression> constraints;    // over axes and attributes
  double magnitude_max = 0;               // legal |x| of float inputs, 0 = the dtype's largest
};

struct OpSchema {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;                                   // in file order
  std::vector<std::string> columns;                         // in file order
  std::map<std::string, std::map<std::string, DType>> dtypes;  // column -> tensor -> dtype
  std::vector<TensorSchema> inputs;
  std::vector<TensorSchema> outputs;
  std::vector<Attribute> attributes;
  Contract contract;
  IntegerValues fixed_axes;                                 // [fixed_shape]: axes, all of them
  std::map<std::string, Scalar> fixed_attributes;           // attributes it sets
  std::filesystem::path folder;                             // testcases/<op>
  bool bundled = false;                                     // its reference is compiled in
};

const Axis* find_axis(const OpSchema& schema, const std::string& name);
const Attribute* find_attribute(const OpSchema& schema, const std::string& name);
const TensorSchema* find_tensor(const OpSchema& schema, const std::string& name);
bool is_input(const OpSchema& schema, const std::string& tensor);
/// Every output integer or of exact contract: tolerance rows say `exact = true`.
DType dtype_of(const OpSchema& schema, const std::string& column, const std::string& tensor);

}  // namespace gate
