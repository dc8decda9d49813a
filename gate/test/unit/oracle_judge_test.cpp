// Kinds and their precedence, poison, gaps, properties.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/oracle/laws.h"
#include "gate/oracle/verdict.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

/// One judgement of a 1x4 output, with everything that can be varied.
struct Trial {
  OpSchema op = map_op();
  Case test_case = map_case(1, 4);
  Tolerance tolerance{1, false, "default", 0, 0, {}, {}, "", ""};
  Expected expected{{expected_floats({1, 2, 3, 4}, 0)}};
  Outcome outcome = outcome_of({tensor_of("y", Role::output, DType::f32, {1, 4}, {1, 2, 3, 4})});
  std::optional<Outcome> second;

  Judging judging() const { return {op, test_case.column, tolerance, test_case, expected}; }
  Verdict verdict() const {
    const Judging facts = judging();
    return judge({facts, outcome, second ? &*second : nullptr});
  }
  bool wants_second() const {
    const Judging facts = judging();
    return needs_second_poison({facts, outcome});
  }
  Tensor& y() { return outcome.after.front(); }
};

TEST(oracle_judge, a_right_output_passes) {
  const Verdict verdict = Trial().verdict();
  EXPECT_EQ(verdict.kind, Kind::pass);
  EXPECT_EQ(verdict.property, "value");
  EXPECT_TRUE(verdict.discriminating);
  EXPECT_EQ(verdict.output_digest.size(), 64u);
}

TEST(oracle_judge, what_the_device_said_comes_first) {
  for (const Kind end : all_kinds()) {
    if (end == Kind::pass) continue;
    Trial trial;
    trial.outcome.end = end;
    trial.outcome.text = "said so";
    trial.outcome.red_zone = "y: 4 bytes after its end";
    EXPECT_EQ(trial.verdict().kind, end);
    EXPECT_EQ(trial.verdict().text, "said so");
  }
}

TEST(oracle_judge, device_kinds_belong_to_their_properties) {
  const auto property = [](Kind end) {
    Trial trial;
    trial.outcome.end = end;
    return trial.verdict().property;
  };
  EXPECT_EQ(property(Kind::build_failed), "build");
  EXPECT_EQ(property(Kind::out_of_bounds), "memory");
  EXPECT_EQ(property(Kind::nondeterministic), "repeat");
  EXPECT_EQ(property(Kind::crash), "value");
  EXPECT_EQ(property(Kind::timeout), "value");
}

TEST(oracle_judge, memory_kinds_precede_value_kinds_in_order) {
  Trial trial;
  trial.y().set(0, 9);
  EXPECT_EQ(trial.verdict().kind, Kind::wrong);
  trial.y().set(1, inf_value);
  EXPECT_EQ(trial.verdict().kind, Kind::nonfinite);
  trial.y().set_bits(2, poison_bits(DType::f32));
  EXPECT_EQ(trial.verdict().kind, Kind::unwritten);
  trial.outcome.modified_inputs = {"x"};
  EXPECT_EQ(trial.verdict().kind, Kind::input_modified);
  trial.outcome.red_zone = "y: 4 bytes after its end";
  EXPECT_EQ(trial.verdict().kind, Kind::out_of_bounds);
  EXPECT_EQ(trial.verdict().property, "memory");
}

TEST(oracle_judge, poison_at_a_wrong_value_is_unwritten) {
  Trial trial;
  trial.y().set_bits(3, poison_bits(DType::f32));
  EXPECT_TRUE(trial.wants_second());
  const Verdict verdict = trial.verdict();
  EXPECT_EQ(verdict.kind, Kind::unwritten);
  EXPECT_EQ(verdict.property, "memory");
  EXPECT_EQ(verdict.unwritten, std::vector<std::int64_t>{3});
}

TEST(oracle_judge, poison_that_survives_another_pattern_is_unwritten_though_the_value_is_right) {
  Trial trial;
  trial.expected.outputs.front().value[3] = nan_value;
  trial.y().set_bits(3, poison_bits(DType::f32));
  EXPECT_EQ(trial.verdict().kind, Kind::pass);  // a NaN where one belongs, so far
  EXPECT_TRUE(trial.wants_second());
  trial.second = trial.outcome;
  trial.second->after.front().set_bits(3, poison_bits(DType::f32, true));
  EXPECT_EQ(trial.verdict().kind, Kind::unwritten);
}

TEST(oracle_judge, a_legitimate_nan_with_the_poisons_bits_is_not_unwritten) {
  Trial trial;
  trial.expected.outputs.front().value[3] = nan_value;
  trial.y().set_bits(3, poison_bits(DType::f32));
  trial.second = trial.outcome;  // written again with the same bits over the other poison
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
}

TEST(oracle_judge, an_i8_ninety_is_not_unwritten) {
  Trial trial;
  trial.test_case.column = "i8";
  trial.expected.outputs = {expected_integers({0x5A, 1, 2, 3})};
  trial.outcome = outcome_of({tensor_of("y", Role::output, DType::i8, {1, 4}, {0x5A, 1, 2, 3})});
  ASSERT_EQ(poison_bits(DType::i8), 0x5Au);
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  trial.second = trial.outcome;
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  // Wrong, but written: the second run tells.
  trial.expected.outputs.front().integers[0] = 7;
  EXPECT_EQ(trial.verdict().kind, Kind::wrong);
  trial.second->after.front().set_bits(0, poison_bits(DType::i8, true));
  EXPECT_EQ(trial.verdict().kind, Kind::unwritten);
}

TEST(oracle_judge, what_the_contract_leaves_open_may_stay_unwritten) {
  Trial trial;
  trial.y().set_bits(3, poison_bits(DType::f32));
  trial.second = trial.outcome;
  trial.second->after.front().set_bits(3, poison_bits(DType::f32, true));
  EXPECT_EQ(trial.verdict().kind, Kind::unwritten);
  trial.expected.outputs.front().free = {0, 0, 0, 1};
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
}

TEST(oracle_judge, nothing_judgeable_is_never_green) {
  Trial trial;
  trial.expected.outputs = {expected_floats({1, 2, 3, 4}, inf_value)};
  EXPECT_EQ(trial.verdict().kind, Kind::not_checked);
  EXPECT_EQ(trial.verdict().unjudgeable, 4);
  EXPECT_FALSE(trial.verdict().discriminating);
  trial.expected.outputs.front().envelope[0] = 0;
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  EXPECT_FALSE(trial.verdict().text.empty());
}

TEST(oracle_judge, a_reference_of_another_size_is_never_green) {
  Trial trial;
  trial.expected.outputs = {expected_floats({1, 2, 3}, 0)};
  EXPECT_EQ(trial.verdict().kind, Kind::not_checked);
}

TEST(oracle_judge, special_values_are_a_property_of_their_own) {
  Trial trial;
  trial.y().set(0, 9);
  EXPECT_EQ(trial.verdict().property, "value");
  trial.test_case.property = "special";
  EXPECT_EQ(trial.verdict().property, "value");  // shrunk until nothing special was left
  trial.test_case.tensors["x"].profile = "nan@1";
  EXPECT_EQ(trial.verdict().property, "special");
  trial.test_case.tensors["x"].profile = "normal@1";
  trial.test_case.tensors["x"].elements = {{0, 0x7f800000}};
  EXPECT_EQ(trial.verdict().property, "special");
  trial.test_case.tensors["x"].elements = {{0, 0x3f800000}};
  EXPECT_EQ(trial.verdict().property, "value");
}

TEST(oracle_judge, a_case_zeros_would_pass_is_not_discriminating) {
  Trial trial;
  trial.expected.outputs = {expected_floats({0, 0, 0, 0}, 1e-3)};
  trial.outcome = outcome_of({tensor_of("y", Role::output, DType::f32, {1, 4}, {0, 0, 0, 0})});
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  EXPECT_FALSE(trial.verdict().discriminating);
}

TEST(oracle_judge, exactness_is_owed_only_where_declared_and_shown) {
  Trial trial;
  trial.expected.outputs = {expected_floats({1, 2, 3, 4}, 1e-3)};
  trial.y().set(3, 4.0001);
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  trial.op.contract.laws = {"exact_integers"};
  EXPECT_EQ(trial.verdict().kind, Kind::pass);  // normal values: rounding is allowed
  trial.test_case.tensors["x"].profile = "small_integers@1";
  EXPECT_EQ(trial.verdict().kind, Kind::wrong);
  trial.expected.outputs.front().envelope[0] = 1;  // an accumulator may have rounded
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
  trial.expected.outputs.front().envelope[0] = 0;
  trial.expected.outputs.front().value[0] = 1.0 + 1e-9;  // not an integer sum
  EXPECT_EQ(trial.verdict().kind, Kind::pass);
}

struct Pair {
  Trial first, second;
  std::optional<std::string> differ() const {
    return difference(first.outcome, second.outcome, first.judging());
  }
};

TEST(oracle_difference, two_runs_agree_bit_by_bit) {
  Pair pair;
  EXPECT_FALSE(pair.differ());
  pair.second.y().set(2, std::nextafter(3.0f, 4.0f));
  EXPECT_TRUE(pair.differ());
}

TEST(oracle_difference, nan_payloads_carry_nothing) {
  Pair pair;
  pair.first.y().set_bits(0, 0x7fc00001);
  pair.second.y().set_bits(0, 0xffc00002);
  EXPECT_FALSE(pair.differ());
  pair.second.y().set(0, 1);
  EXPECT_TRUE(pair.differ());
}

TEST(oracle_difference, atomics_may_differ_within_both_limits) {
  Pair pair;
  pair.first.op.contract.determinism = "within_envelope";
  pair.first.expected.outputs = {expected_floats({1, 2, 3, 4}, 1e-3)};
  pair.second.y().set(2, 3.0019);
  EXPECT_FALSE(pair.differ());
  pair.second.y().set(2, 3.0021);
  EXPECT_TRUE(pair.differ());
}

TEST(oracle_difference, open_elements_are_left_out) {
  Pair pair;
  pair.second.y().set(2, 9);
  pair.first.expected.outputs.front().free = {0, 0, 1, 0};
  EXPECT_FALSE(pair.differ());
}

}  // namespace
}  // namespace gate
