// What op.toml becomes; its malformed relatives stand in gate/test/golden/spec/op.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr const char* full = R"toml(
[op]
name = "ragged"
summary = "Everything an op can say"
[axes]
z = { min = 0, max = 7 }
a = 4
m = { values = [16, 1, 8] }
[columns]
f16 = { x = "f16", length = "i32", y = "f16", best = "i64" }
f8 = { x = "f8e4m3", length = "i64", y = "f32", best = "i64" }
[inputs.x]
shape = ["z", "a * group"]
layout = ["row_pitch", "contiguous", "broadcast"]
values = ["normal", "ties"]
[inputs.length]
shape = ["z"]
domain = { kind = "range", low = "1", high = "a * group" }
[outputs.y]
shape = []
[outputs.best]
shape = ["z"]
accept = "argmax:x"
[contract]
nan = "any"
accumulate = "f64"
intermediate = "input"
fast_math = true
flush_to_zero = true
tf32 = true
saturate = true
truncating_store = true
signed_zero = true
determinism = "within_envelope"
laws = ["rows_independent"]
constraints = ["m % group == 0", "causal == 0 or z > 1"]
magnitude_max = 1e4
[attributes]
group = { type = "i32", default = 2, values = [1, 2] }
causal = { type = "bool", default = false, values = [true, false] }
eps = { type = "f32", default = 1e-5 }
bound = { type = "f64", default = inf, values = [inf, "0x1p-1074", 0] }
[fixed_shape]
z = 7
m = 8
group = 1
)toml";

OpSchema read(const std::string& text) {
  const auto op = parse_op(text, "op.toml");
  EXPECT_TRUE(op) << (op ? "" : to_text(op.failure()));
  return op ? *op : OpSchema{};
}

TEST(read_op, axes_keep_their_order) {
  const OpSchema op = read(full);
  ASSERT_EQ(op.axes.size(), 3u);
  EXPECT_EQ(op.axes[0].name, "z");
  EXPECT_EQ(op.axes[0].min, 0);
  EXPECT_EQ(op.axes[0].max, 7);
  EXPECT_EQ(op.axes[1].min, 4);
  EXPECT_EQ(op.axes[1].max, 4);
  EXPECT_EQ(op.axes[2].values, (std::vector<std::int64_t>{1, 8, 16}));
  EXPECT_EQ(op.axes[2].min, 1);
  EXPECT_EQ(op.axes[2].max, 16);
  EXPECT_EQ(op.columns, (std::vector<std::string>{"f16", "f8"}));
}

TEST(read_op, tensors) {
  const OpSchema op = read(full);
  ASSERT_EQ(op.inputs.size(), 2u);
  ASSERT_EQ(op.outputs.size(), 2u);
  EXPECT_EQ(op.inputs[0].layouts,
            (std::vector<std::string>{"contiguous", "row_pitch", "broadcast"}));
  EXPECT_EQ(op.inputs[0].profiles, (std::vector<std::string>{"normal", "ties"}));
  EXPECT_EQ(op.inputs[0].shape[1].value({{"a", 4}, {"group", 2}}), 8);
  ASSERT_TRUE(op.inputs[1].domain);
  EXPECT_EQ(op.inputs[1].domain->kind, "range");
  EXPECT_EQ(op.inputs[1].domain->high.text(), "a * group");
  EXPECT_EQ(op.outputs[0].layouts, std::vector<std::string>{"contiguous"});
  EXPECT_TRUE(op.outputs[0].shape.empty());
  EXPECT_EQ(op.outputs[1].accept, "argmax:x");
  EXPECT_EQ(dtype_of(op, "f8", "x"), DType::f8e4m3);
  EXPECT_EQ(dtype_of(op, "f16", "length"), DType::i32);
  EXPECT_TRUE(is_input(op, "length"));
  EXPECT_FALSE(is_input(op, "y"));
  EXPECT_EQ(find_tensor(op, "w"), nullptr);
}

TEST(read_op, contract) {
  const Contract contract = read(full).contract;
  EXPECT_EQ(contract.nan, "any");
  EXPECT_EQ(contract.accumulate, DType::f64);
  EXPECT_FALSE(contract.intermediate);
  EXPECT_TRUE(contract.intermediate_as_input);
  EXPECT_TRUE(contract.fast_math && contract.flush_to_zero && contract.tf32 && contract.saturate &&
              contract.truncating_store && contract.signed_zero);
  EXPECT_EQ(contract.determinism, "within_envelope");
  EXPECT_EQ(contract.laws, std::vector<std::string>{"rows_independent"});
  EXPECT_EQ(contract.constraints.size(), 2u);
  EXPECT_EQ(contract.magnitude_max, 1e4);
}

TEST(read_op, attributes_have_the_kernels_bits) {
  const OpSchema op = read(full);
  const Attribute* eps = find_attribute(op, "eps");
  ASSERT_TRUE(eps);
  EXPECT_EQ(std::get<double>(eps->fallback), static_cast<double>(1e-5f));
  EXPECT_EQ(eps->values, std::vector<Scalar>{eps->fallback});
  EXPECT_EQ(find_attribute(op, "causal")->values,
            (std::vector<Scalar>{std::int64_t{1}, std::int64_t{0}}));
  const Attribute* bound = find_attribute(op, "bound");
  EXPECT_EQ(std::get<double>(bound->values[0]), std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::get<double>(bound->values[1]), std::numeric_limits<double>::denorm_min());
}

TEST(read_op, fixed_shape_has_every_axis) {
  const OpSchema op = read(full);
  EXPECT_EQ(op.fixed_axes, (IntegerValues{{"z", 7}, {"a", 4}, {"m", 8}}));
  EXPECT_EQ(op.fixed_attributes.size(), 1u);
  EXPECT_EQ(std::get<std::int64_t>(op.fixed_attributes.at("group")), 1);
}

TEST(read_op, an_op_is_a_folder_of_its_name) {
  EXPECT_TRUE(parse_op(full, "testcases/ragged/op.toml"));
  EXPECT_FALSE(parse_op(full, "testcases/dense/op.toml"));
}

TEST(read_op, names_are_checked_only_against_given_lists) {
  EXPECT_FALSE(parse_op(full, "op.toml", KnownNames{{"normal"}, {}, {}}));
  EXPECT_FALSE(parse_op(full, "op.toml", KnownNames{{}, {"scaling"}, {}}));
  EXPECT_TRUE(parse_op(full, "op.toml", KnownNames{{"normal", "ties"}, {"rows_independent"}, {}}));
}

}  // namespace
}  // namespace gate
