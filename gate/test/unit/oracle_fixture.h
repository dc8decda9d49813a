// Small ops, tensors and outcomes for the oracle's tests: no files, no workers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gate/oracle/verdict.h"

namespace gate::oracle_test {

inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
inline constexpr double inf_value = std::numeric_limits<double>::infinity();

inline Expression axis_size(const std::string& name) { return *Expression::parse(name); }

inline Tensor tensor_of(std::string name, Role role, DType dtype, std::vector<std::int64_t> shape,
                        const std::vector<double>& values) {
  Tensor tensor = make_tensor(std::move(name), role, dtype, contiguous_view(shape));
  for (std::size_t i = 0; i < values.size(); ++i) {
    tensor.set(static_cast<std::int64_t>(i), values[i]);
  }
  return tensor;
}

inline ExpectedTensor expected_floats(std::vector<double> value, double envelope) {
  ExpectedTensor want;
  want.name = "y";
  want.envelope.assign(value.size(), envelope);
  want.value = std::move(value);
  return want;
}

inline ExpectedTensor expected_integers(std::vector<std::int64_t> values) {
  ExpectedTensor want;
  want.name = "y";
  want.integers = std::move(values);
  return want;
}

/// x[rows, cols] -> y[rows, cols], one column per dtype.
inline OpSchema map_op() {
  OpSchema op;
  op.name = "map";
  op.axes = {{"rows", 1, 64, {}}, {"cols", 1, 64, {}}};
  op.columns = {"f32", "f16", "bf16", "i8"};
  for (const auto& [column, dtype] : {std::pair{"f32", DType::f32},
                                      {"f16", DType::f16},
                                      {"bf16", DType::bf16},
                                      {"i8", DType::i8}}) {
    op.dtypes[column] = {{"x", dtype}, {"y", dtype}};
  }
  TensorSchema x;
  x.name = "x";
  x.shape = {axis_size("rows"), axis_size("cols")};
  x.layouts = {"contiguous", "row_pitch"};
  x.profiles = {"normal", "uniform01", "small_integers"};
  TensorSchema y = x;
  y.name = "y";
  y.profiles.clear();
  op.inputs = {x};
  op.outputs = {y};
  op.fixed_axes = {{"rows", 4}, {"cols", 8}};
  return op;
}

inline Case map_case(std::int64_t rows, std::int64_t cols) {
  Case value;
  value.op = "map";
  value.column = "f32";
  value.axes = {{"rows", rows}, {"cols", cols}};
  value.tensors["x"].profile = "normal@1";
  value.tensors["y"] = {};
  value.key = 7;
  return value;
}

inline Outcome outcome_of(std::vector<Tensor> after) {
  Outcome outcome;
  outcome.after = std::move(after);
  return outcome;
}

}  // namespace gate::oracle_test
