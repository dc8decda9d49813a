// make_inputs: roles, poison in gaps, overrides, views, independence of tensors; digests; costs.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;

TEST(Inputs, TensorsComeInSchemaOrderWithTheirRoles) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  kernel.workspaces = {{"partial", expression("rows * 8")}, {"flag", expression("3")}};
  const Inputs inputs = make_inputs(plain_case(op, {{"rows", 2}, {"cols", 5}}), op, &kernel);
  ASSERT_EQ(inputs.tensors.size(), 4u);
  EXPECT_EQ(inputs.tensors[0].name, "x");
  EXPECT_EQ(inputs.tensors[0].role, Role::input);
  EXPECT_EQ(inputs.tensors[1].role, Role::output);
  EXPECT_EQ(inputs.tensors[1].bits_at(0), poison_bits(DType::f32));
  EXPECT_EQ(inputs.tensors[2].role, Role::workspace);
  EXPECT_EQ(inputs.tensors[2].storage.size(), 16u);
  EXPECT_TRUE(std::isnan(inputs.tensors[2].at(0)));
  EXPECT_EQ(inputs.tensors[3].storage.size(), 3u);
  EXPECT_EQ(std::get<std::int64_t>(inputs.attributes.at("mode")), 0);
  EXPECT_EQ(inputs.axes.at("cols"), 5);
}

TEST(Inputs, GapsArePoisonedAndValuesDoNotDependOnTheLayout) {
  const OpSchema op = row_op();
  Case value = plain_case(op, {{"rows", 3}, {"cols", 4}});
  const Inputs plain = make_inputs(value, op, nullptr);
  for (const auto& [layout, amount] :
       {std::pair{"row_pitch", 3}, {"strided", 2}, {"offset", 5}, {"transposed", 0}}) {
    TensorChoice& x = value.tensors["x"];
    x.layout = layout;
    x.padding = x.layout == "row_pitch" ? amount : 0;
    x.step = x.layout == "strided" ? amount : 1;
    x.offset = x.layout == "offset" ? amount : 0;
    const Inputs other = make_inputs(value, op, nullptr);
    const Tensor& tensor = other.tensors[0];
    std::vector<bool> used(tensor.storage.size() / 4, false);
    for (std::int64_t i = 0; i < 12; ++i) {
      EXPECT_EQ(tensor.bits_at(i), plain.tensors[0].bits_at(i)) << layout;
      used[static_cast<std::size_t>(position(tensor.view, i))] = true;
    }
    for (std::size_t place = 0; place < used.size(); ++place) {
      if (used[place]) continue;
      EXPECT_EQ(load_bits(DType::f32, tensor.storage.data() + place * 4), poison_bits(DType::f32));
    }
    EXPECT_NE(input_digest(other), input_digest(plain)) << layout;
  }
}

TEST(Inputs, OverridesReplaceSingleElements) {
  const OpSchema op = row_op();
  Case value = plain_case(op, {{"rows", 2}, {"cols", 4}});
  value.tensors["x"].profile = "zeros@1";
  value.tensors["x"].elements = {{1, 0x3f800000}, {7, 0x7f800000}};
  const Inputs inputs = make_inputs(value, op, nullptr);
  EXPECT_EQ(inputs.tensors[0].at(0), 0.0);
  EXPECT_EQ(inputs.tensors[0].at(1), 1.0);
  EXPECT_TRUE(std::isinf(inputs.tensors[0].at(7)));
}

TEST(Inputs, EachTensorHasItsOwnStream) {
  const OpSchema op = heads_op();
  Case value = plain_case(op, {{"hq", 4}, {"hkv", 4}, {"lq", 8}, {"lk", 8}});
  const Inputs inputs = make_inputs(value, op, nullptr);
  EXPECT_NE(inputs.tensors[0].storage, inputs.tensors[1].storage);
  value.tensors["k"].profile = "tiny@1";
  EXPECT_EQ(make_inputs(value, op, nullptr).tensors[0].storage, inputs.tensors[0].storage);
}

TEST(Inputs, MissingChoicesTakeTheirDefaults) {
  const OpSchema op = row_op();
  const Case full = plain_case(op, {{"rows", 2}, {"cols", 4}});
  Case bare = full;
  bare.attributes.clear();
  bare.tensors.clear();
  EXPECT_EQ(input_digest(make_inputs(bare, op, nullptr)),
            input_digest(make_inputs(full, op, nullptr)));
}

TEST(Inputs, DigestSeesKeyAttributesAndAxes) {
  const OpSchema op = row_op();
  const Case first = plain_case(op, {{"rows", 2}, {"cols", 4}});
  const std::string digest = input_digest(make_inputs(first, op, nullptr));
  EXPECT_EQ(digest.size(), 64u);
  Case other = first;
  other.key ^= 1;
  EXPECT_NE(input_digest(make_inputs(other, op, nullptr)), digest);
  other = first;
  other.attributes["mode"] = std::int64_t{3};
  EXPECT_NE(input_digest(make_inputs(other, op, nullptr)), digest);
  other = first;
  other.axes = {{"rows", 4}, {"cols", 2}};
  EXPECT_NE(input_digest(make_inputs(other, op, nullptr)), digest);
}

TEST(Inputs, CostsAreElementsAndMultiplyAdds) {
  const OpSchema op = heads_op();
  const Case value = plain_case(op, {{"hq", 4}, {"hkv", 2}, {"lq", 8}, {"lk", 16}});
  EXPECT_EQ(cost_of(value, op).elements, 32);
  EXPECT_EQ(cost_of(value, op).operations, 4 * 2 * 8 * 16);
}

}  // namespace
}  // namespace gate
