// Decoding of tensors for references: every 16-bit pattern, strides, integers, attributes.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/decoded.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace gate {
namespace {

TEST(Decoded, EveryNarrowPatternMeansWhatTheDtypeSays) {
  for (const DType dtype : {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
    const std::int64_t count = facts(dtype).bytes == 2 ? 65'536 : 256;
    Tensor tensor = make_tensor("x", Role::input, dtype, contiguous_view({count}));
    for (std::int64_t i = 0; i < count; ++i) tensor.set_bits(i, static_cast<std::uint64_t>(i));
    std::vector<double> values;
    decode({"x", dtype, tensor.view, tensor.storage.data()}, values, nullptr);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const double want = tensor.at(i), got = values[static_cast<std::size_t>(i)];
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(got)) << facts(dtype).name << ' ' << i;
      } else {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want))
            << facts(dtype).name << ' ' << i;
      }
    }
  }
}

TEST(Decoded, FollowsStridesInLogicalOrder) {
  const View views[] = {{{2, 3, 4}, {24, 8, 2}, 5},  // steps and gaps
                        {{2, 3, 4}, {1, 2, 6}, 0},   // turned round
                        {{2, 3, 4}, {0, 4, 1}, 1},   // one plane twice
                        {{2, 0, 4}, {4, 4, 1}, 0},   // nothing
                        {{}, {}, 3}};                // a scalar
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::i32}) {
    for (const View& view : views) {
      Tensor tensor = make_tensor("x", Role::input, dtype, view);
      for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        tensor.set(i, static_cast<double>(i % 100));
      }
      std::vector<double> values;
      std::vector<std::int64_t> integers;
      const bool whole = !facts(dtype).is_float;
      decode({"x", dtype, view, tensor.storage.data()}, values, whole ? &integers : nullptr);
      ASSERT_EQ(values.size(), static_cast<std::size_t>(tensor.elements()));
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(values[i], tensor.at(static_cast<std::int64_t>(i)));
        if (whole) {
          EXPECT_EQ(integers[i], tensor.integer_at(static_cast<std::int64_t>(i)));
        }
      }
    }
  }
}

TEST(Decoded, WideIntegersLoseNoDigits) {
  Tensor tensor = make_tensor("x", Role::input, DType::i64, contiguous_view({2}));
  tensor.set_integer(0, INT64_MAX);
  tensor.set_integer(1, (std::int64_t{1} << 53) + 1);
  std::vector<double> values;
  std::vector<std::int64_t> integers;
  decode({"x", DType::i64, tensor.view, tensor.storage.data()}, values, &integers);
  EXPECT_EQ(integers, (std::vector<std::int64_t>{INT64_MAX, (std::int64_t{1} << 53) + 1}));
}

TEST(Decoded, AttributesArriveAsKernelsSeeThem) {
  DecodedCall call{Arithmetic{}};
  call.add_attribute("eps", Scalar{0.1}, DType::f32);
  call.add_attribute("wide", Scalar{0.1}, DType::f64);
  call.add_attribute("causal", Scalar{std::int64_t{1}}, DType::boolean);
  call.add_axis("rows", 7);
  const std::string mistake = call.run([](const ReferenceCall* c) {
    EXPECT_EQ(c->scalar_count, 4);
    EXPECT_EQ(c->scalars[0].value, static_cast<float>(0.1));
    EXPECT_EQ(c->scalars[1].value, 0.1);
    EXPECT_EQ(c->scalars[2].integer, 1);
    EXPECT_EQ(c->scalars[3].integer, 7);
  });
  EXPECT_EQ(mistake, "");
}

ErrorModel model_of(DType input) {
  ErrorModel model;
  model.input = input;
  return model;
}

TEST(ErrorModel, ChoosesUnitAndAccumulator) {
  EXPECT_EQ(arithmetic_of(model_of(DType::f32)).matrix_unit, MatrixUnit::scalar_cores);
  EXPECT_EQ(arithmetic_of(model_of(DType::f16)).matrix_unit, MatrixUnit::tensor_core);
  EXPECT_EQ(arithmetic_of(model_of(DType::bf16)).matrix_unit, MatrixUnit::tensor_core);
  EXPECT_EQ(arithmetic_of(model_of(DType::f8e4m3)).matrix_unit, MatrixUnit::fp8_tensor_core);
  EXPECT_EQ(arithmetic_of(model_of(DType::f32)).unit, 0x1p-24);
  ErrorModel tf32 = model_of(DType::f32);
  tf32.tf32 = true;
  EXPECT_EQ(arithmetic_of(tf32).input_rounding, 0x1p-11);
  EXPECT_EQ(arithmetic_of(tf32).matrix_unit, MatrixUnit::tensor_core);
  ErrorModel half = model_of(DType::f16);
  half.accumulate = DType::f16;
  EXPECT_EQ(arithmetic_of(half).unit, 0x1p-11);
  EXPECT_EQ(arithmetic_of(half).largest, 65504);
  ErrorModel stored = model_of(DType::bf16);
  stored.intermediate = DType::bf16;
  EXPECT_EQ(arithmetic_of(stored).stored_unit, 0x1p-8);
  EXPECT_EQ(arithmetic_of(model_of(DType::bf16)).stored_unit, 0);
  ErrorModel flushing = model_of(DType::f32);
  flushing.flush_to_zero = true;
  EXPECT_EQ(arithmetic_of(flushing).underflow, 0x1p-126);
  EXPECT_EQ(arithmetic_of(flushing).flush, 0x1p-126);
}

TEST(ErrorModel, FollowsColumnAndContract) {
  OpSchema op;
  op.columns = {"f32", "f64", "f16"};
  for (const DType dtype : {DType::f32, DType::f64, DType::f16}) {
    const std::string column(facts(dtype).name);
    op.dtypes[column] = {{"x", dtype}, {"i", DType::i32}, {"y", dtype}};
  }
  op.inputs.resize(2);
  op.inputs[0].name = "x";
  op.inputs[1].name = "i";
  EXPECT_EQ(error_model(op, "f16").input, DType::f16);
  EXPECT_EQ(error_model(op, "f16").accumulate, DType::f32);
  EXPECT_EQ(error_model(op, "f64").accumulate, DType::f64);
  op.contract.intermediate_as_input = true;
  EXPECT_EQ(error_model(op, "f16").intermediate, DType::f16);
  EXPECT_EQ(error_model(op, "f32").intermediate, DType::f32);
  op.contract.accumulate = DType::f16;
  EXPECT_EQ(error_model(op, "f16").accumulate, DType::f16);
}

}  // namespace
}  // namespace gate
