// Null kernels: each fills what its name says, and a sound case rejects it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/oracle/null_kernels.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

struct NullTrial {
  OpSchema op = map_op();
  std::string column = "f32";
  Case test_case = map_case(2, 3);
  Tolerance tolerance{1, false, "default", 0, 0, {}, {}, "", ""};
  Expected expected{{expected_floats({1, -2, 3, 5, 8, -13}, 1e-6)}};
  std::vector<Tensor> previous = {
      tensor_of("y", Role::output, DType::f32, {2, 3}, {9, 9, 9, 9, 9, 9})};
  Inputs inputs;

  NullTrial() {
    inputs.tensors = {tensor_of("x", Role::input, DType::f32, {2, 3}, {7, 1, 2, 3, 4, 5}),
                      make_tensor("y", Role::output, DType::f32, contiguous_view({2, 3}))};
  }

  NullVerdict verdict(std::string_view name) const {
    NullSubject subject{op, column, inputs, expected, previous, reference, {}};
    subject.other_seed = Expected{{expected_floats({2, 2, 2, 2, 2, 2}, 1e-6)}};
    for (const NullKernel& kernel : all_null_kernels()) {
      if (kernel.name != name) continue;
      return try_null_kernel(kernel, subject, {op, column, tolerance, test_case, expected});
    }
    ADD_FAILURE() << "no null kernel " << name;
    return NullVerdict::survived;
  }

  /// The reference of an op that sums its row into every element, say: last column dropped.
  static std::optional<Expected> reference(const Inputs& changed) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < 6; ++i) values.push_back(changed.tensors.front().at(i));
    return Expected{{expected_floats(values, 1e-6)}};
  }
};

TEST(null_kernels, every_one_is_rejected_by_a_discriminating_case) {
  for (const NullKernel& kernel : all_null_kernels()) {
    EXPECT_EQ(NullTrial().verdict(kernel.name), NullVerdict::rejected) << kernel.name;
  }
}

TEST(null_kernels, a_dead_tolerance_lets_them_through) {
  for (const NullKernel& kernel : all_null_kernels()) {
    if (kernel.name == "poison") continue;  // unwritten whatever the tolerance
    NullTrial trial;
    for (double& envelope : trial.expected.outputs.front().envelope) envelope = 1e3;
    EXPECT_EQ(trial.verdict(kernel.name), NullVerdict::survived) << kernel.name;
  }
}

TEST(null_kernels, what_equals_the_reference_is_not_held_against_a_case) {
  NullTrial trial;
  trial.expected.outputs = {expected_floats({0, 0, 0, 0, 0, 0}, 1e-6)};
  EXPECT_EQ(trial.verdict("zeros"), NullVerdict::equals_reference);
  EXPECT_EQ(trial.verdict("sign_flipped"), NullVerdict::equals_reference);
  trial.expected.outputs = {expected_floats({7, 1, 2, 3, 4, 5}, 1e-6)};
  EXPECT_EQ(trial.verdict("copy_of_input"), NullVerdict::equals_reference);
}

TEST(null_kernels, some_need_what_is_not_there) {
  NullTrial trial;
  trial.previous.clear();
  EXPECT_EQ(trial.verdict("previous_output"), NullVerdict::not_applicable);
  trial.inputs.tensors.front() = tensor_of("x", Role::input, DType::f32, {1}, {7});
  EXPECT_EQ(trial.verdict("copy_of_input"), NullVerdict::not_applicable);
}

TEST(null_kernels, truncation_zeroes_the_last_term_only) {
  NullTrial trial;
  trial.expected.outputs = {expected_floats({7, 1, 0, 3, 4, 0}, 1e-6)};
  EXPECT_EQ(trial.verdict("last_terms_dropped"), NullVerdict::equals_reference);
}

}  // namespace
}  // namespace gate
