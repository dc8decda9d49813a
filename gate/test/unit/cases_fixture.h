// Ops and kernels for the tests of gate/cases: rows, products, heads with coupled axes, indices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/cases/plan.h"
#include "gate/cases/profiles.h"
#include "gate/spec/read.h"

namespace gate::cases_test {

inline OpSchema op_of(const std::string& name, const std::string& rest) {
  const std::string text = "[op]\nname = \"" + name + "\"\n" + rest;
  const auto op = parse_op(text, "testcases/" + name + "/op.toml");
  check(static_cast<bool>(op), op ? "" : to_text(op.failure()));
  return *op;
}

/// Row-wise op with attributes, laws, every layout and many profiles.
inline OpSchema row_op() {
  return op_of("rows", R"(summary = "row-wise"
[axes]
rows = { min = 1, max = 65536 }
cols = { min = 1, max = 65536 }
[columns]
f32 = { x = "f32", y = "f32" }
f16 = { x = "f16", y = "f16" }
[inputs.x]
shape = ["rows", "cols"]
layout = ["contiguous", "row_pitch", "strided", "offset", "transposed", "broadcast"]
values = ["normal", "uniform01", "tiny", "heavy", "offset100", "negative", "peaky", "ties",
          "constant", "zeros", "impulse", "small_integers", "scale_100", "rows_mixed",
          "neg_inf_holes", "nan", "inf"]
[outputs.y]
shape = ["rows", "cols"]
layout = ["contiguous", "row_pitch"]
[contract]
laws = ["rows_independent", "shift_invariant"]
[attributes]
eps = { type = "f32", default = 1e-5, values = [1e-6, 1e-5, 1e-3] }
mode = { type = "i32", default = 0, values = [0, 1, 2, 3] }
[fixed_shape]
rows = 8
cols = 256
)");
}

/// Attention-like op: heads that divide, a query and a key length, an attribute.
inline OpSchema heads_op() {
  return op_of("heads", R"(summary = "coupled axes"
[axes]
hq = { min = 1, max = 64 }
hkv = { min = 1, max = 64 }
lq = { min = 1, max = 512 }
lk = { min = 1, max = 2048 }
[columns]
bf16 = { q = "bf16", k = "bf16", o = "bf16" }
[inputs.q]
shape = ["hq", "lq"]
values = ["normal", "uniform10", "sink", "zeros"]
[inputs.k]
shape = ["hkv", "lk"]
values = ["normal", "tiny", "scale_large", "rows_mixed", "nan"]
[outputs.o]
shape = ["hq", "lq"]
[contract]
constraints = ["hq % hkv == 0", "lq <= lk"]
[attributes]
causal = { type = "bool", default = false, values = [false, true] }
[fixed_shape]
hq = 4
hkv = 4
lq = 64
lk = 64
)");
}

/// Gather-like op: an index below an axis, a mask, a permutation.
inline OpSchema index_op() {
  return op_of("pick", R"(summary = "integer inputs"
[axes]
n = { min = 1, max = 4096 }
m = { min = 1, max = 512 }
[columns]
i32 = { table = "f32", index = "i32", mask = "bool", order = "i64", y = "f32" }
[inputs.table]
shape = ["n"]
values = ["normal", "small_integers"]
[inputs.index]
shape = ["m"]
domain = { kind = "index", below = "n" }
[inputs.mask]
shape = ["m"]
domain = { kind = "boolean" }
[inputs.order]
shape = ["m"]
domain = { kind = "permutation" }
[outputs.y]
shape = ["m"]
[fixed_shape]
n = 64
m = 64
)");
}

/// A kernel of every column of `op`, launching one block per unit of the first axis.
inline KernelSpec kernel_of(const OpSchema& op) {
  KernelSpec kernel;
  kernel.name = "sample";
  kernel.op = op.name;
  kernel.source = "sample.cu";
  for (const std::string& column : op.columns) kernel.entry[column] = "sample";
  return kernel;
}

inline Expression expression(const std::string& text) { return *Expression::parse(text); }

inline PlanOptions options_of(std::uint64_t run_seed, const std::string& device = "emu",
                              const std::string& profile = "pr") {
  PlanOptions options;
  options.run_seed = run_seed;
  options.device = device;
  options.profile = default_config(".").profiles.at(profile);
  return options;
}

/// The same with room for launch limits on `device`.
inline PlanOptions roomy_options_of(std::uint64_t run_seed, const std::string& device = "emu") {
  PlanOptions options = options_of(run_seed, device);
  options.profile.caps[device].elements_max = 1 << 16;
  options.profile.caps[device].operations_max = 1 << 23;
  return options;
}

/// A contiguous case of `op` with default attributes and plain values.
inline Case plain_case(const OpSchema& op, const IntegerValues& axes, std::uint64_t key = 7) {
  Case value;
  value.op = op.name;
  value.column = op.columns.front();
  value.axes = axes;
  value.key = key;
  for (const Attribute& attribute : op.attributes)
    value.attributes[attribute.name] = attribute.fallback;
  for (const TensorSchema& tensor : op.inputs)
    value.tensors[tensor.name].profile = default_profile(dtype_of(op, value.column, tensor.name));
  for (const TensorSchema& tensor : op.outputs) value.tensors[tensor.name] = {};
  return value;
}

}  // namespace gate::cases_test
