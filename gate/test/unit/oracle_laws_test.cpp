// Laws on a centred-row op (y = x - mean of the row): honest kernels pass, dishonest ones do not.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gate/oracle/laws.h"
#include "gate/test/unit/oracle_fixture.h"

namespace gate {
namespace {

using namespace oracle_test;

using RowFunction = std::function<double(const Tensor& x, std::int64_t row, std::int64_t column)>;

std::int64_t columns_of_tensor(const Tensor& x) { return x.view.shape[1]; }

double centred(const Tensor& x, std::int64_t row, std::int64_t column) {
  const std::int64_t columns = columns_of_tensor(x);
  double sum = 0;
  for (std::int64_t c = 0; c < columns; ++c) sum += x.at(row * columns + c);
  return x.at(row * columns + column) - sum / static_cast<double>(columns);
}

double centred_and_neighbour(const Tensor& x, std::int64_t row, std::int64_t column) {
  const std::int64_t rows = x.view.shape[0], columns = columns_of_tensor(x);
  return centred(x, row, column) + 0.25 * x.at((row + 1) % rows * columns + column);
}

double centred_and_row_number(const Tensor& x, std::int64_t row, std::int64_t column) {
  return centred(x, row, column) + 0.25 * static_cast<double>(row);
}

double centred_and_squared(const Tensor& x, std::int64_t row, std::int64_t column) {
  return centred(x, row, column) + 0.25 * x.at(row * columns_of_tensor(x) + column);
}

double centred_with_eps(const Tensor& x, std::int64_t row, std::int64_t column) {
  return centred(x, row, column) + 0.25;
}

double centred_by_stride(const Tensor& x, std::int64_t row, std::int64_t column) {
  return centred(x, row, column) + (is_contiguous(x.view) ? 0 : 0.25);
}

struct LawTrial {
  OpSchema op = map_op();
  KernelSpec kernel;
  Case test_case = map_case(5, 6);
  Tolerance tolerance{1, false, "default", 0, 0, {}, {}, "", ""};

  LawTrial() {
    kernel.name = "test";
    kernel.op = "map";
  }

  static Outcome run(const Inputs& inputs, const RowFunction& function) {
    Outcome outcome;
    outcome.after = inputs.tensors;
    Tensor& y = outcome.after.back();
    for (std::int64_t i = 0; i < y.elements(); ++i) {
      const std::int64_t columns = columns_of_tensor(y);
      y.set(i, function(inputs.tensors.front(), i / columns, i % columns));
    }
    return outcome;
  }

  static Expected reference(const Inputs& inputs) {
    std::vector<double> values;
    const Tensor& x = inputs.tensors.front();
    for (std::int64_t i = 0; i < x.elements(); ++i) {
      values.push_back(centred(x, i / columns_of_tensor(x), i % columns_of_tensor(x)));
    }
    return {{expected_floats(values, 1e-6)}};
  }

  std::optional<LawRun> prepare(const std::string& law) const {
    const Inputs base = make_inputs(test_case, op, &kernel);
    return transform(law, {test_case, base, op, kernel});
  }

  Verdict judge(const std::string& law, const RowFunction& function) const {
    const Inputs base = make_inputs(test_case, op, &kernel);
    const std::optional<LawRun> law_run = transform(law, {test_case, base, op, kernel});
    EXPECT_TRUE(law_run.has_value()) << law;
    const Inputs& first = law_run->base ? *law_run->base : base;
    const Expected expected = reference(base), base_expected = reference(first),
                   transformed_expected = reference(law_run->transformed);
    return judge_law(law,
                     {*law_run, run(first, function), run(law_run->transformed, function),
                      base_expected, transformed_expected},
                     {op, test_case.column, tolerance, test_case, expected});
  }

  Kind kind(const std::string& law, const RowFunction& function) const {
    return judge(law, function).kind;
  }
};

TEST(oracle_laws, an_honest_kernel_keeps_every_law) {
  for (const LawFacts& law : all_laws()) {
    const LawTrial trial;
    if (!trial.prepare(std::string(law.name))) continue;
    EXPECT_EQ(trial.kind(std::string(law.name), centred), Kind::pass) << law.name;
  }
}

TEST(oracle_laws, crosstalk_between_rows_breaks_row_laws) {
  const LawTrial trial;
  for (const std::string law : {"rows_independent", "batch_independent", "permute_rows"}) {
    const Verdict verdict = trial.judge(law, centred_and_neighbour);
    EXPECT_EQ(verdict.kind, Kind::law_broken) << law;
    EXPECT_EQ(verdict.property, "law:" + law);
    EXPECT_FALSE(verdict.text.empty());
  }
}

TEST(oracle_laws, a_row_that_knows_its_number_breaks_permutation) {
  EXPECT_EQ(LawTrial().kind("permute_rows", centred_and_row_number), Kind::law_broken);
  EXPECT_EQ(LawTrial().kind("batch_independent", centred_and_row_number), Kind::pass);
}

TEST(oracle_laws, a_shift_that_shows_breaks_shift_invariance) {
  EXPECT_EQ(LawTrial().kind("shift_invariant", centred_and_squared), Kind::law_broken);
}

TEST(oracle_laws, a_constant_breaks_scaling_bit_by_bit) {
  EXPECT_EQ(LawTrial().kind("scale_by_power_of_two", centred_with_eps), Kind::law_broken);
}

TEST(oracle_laws, ignored_strides_break_padding_invariance) {
  EXPECT_EQ(LawTrial().kind("padding_invariant", centred_by_stride), Kind::law_broken);
}

TEST(oracle_laws, one_row_alone_holds_that_rows_values) {
  const LawTrial trial;
  const Inputs base = make_inputs(trial.test_case, trial.op, &trial.kernel);
  const LawRun run = *trial.prepare("rows_independent");
  const std::vector<std::int64_t>& origin = run.base_element.at("y");
  ASSERT_EQ(origin.size(), 6u);
  EXPECT_EQ(run.transformed.axes.at("rows"), 1);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(run.transformed.tensors.front().bits_at(i),
              base.tensors.front().bits_at(origin[static_cast<std::size_t>(i)]));
  }
}

TEST(oracle_laws, other_contents_leave_one_row_and_change_the_rest) {
  const LawTrial trial;
  const Inputs base = make_inputs(trial.test_case, trial.op, &trial.kernel);
  const LawRun run = *trial.prepare("batch_independent");
  int kept = 0;
  for (std::int64_t i = 0; i < 30; ++i) {
    const bool same = run.transformed.tensors.front().bits_at(i) == base.tensors.front().bits_at(i);
    EXPECT_EQ(same, run.base_element.at("y")[static_cast<std::size_t>(i)] == i);
    kept += same;
  }
  EXPECT_EQ(kept, 6);
}

TEST(oracle_laws, both_sides_of_a_shift_are_exact) {
  const LawRun run = *LawTrial().prepare("shift_invariant");
  ASSERT_TRUE(run.base);
  const Tensor& low = run.base->tensors.front();
  const Tensor& high = run.transformed.tensors.front();
  for (std::int64_t row = 0; row < 5; ++row) {
    const double shift = high.at(row * 6) - low.at(row * 6);
    EXPECT_GT(shift, 0);
    for (std::int64_t c = 0; c < 6; ++c)
      EXPECT_EQ(high.at(row * 6 + c) - low.at(row * 6 + c), shift);
  }
}

TEST(oracle_laws, laws_that_cannot_apply_say_so) {
  LawTrial trial;
  trial.test_case = map_case(1, 6);
  EXPECT_FALSE(trial.prepare("rows_independent"));
  EXPECT_FALSE(trial.prepare("permute_rows"));
  EXPECT_FALSE(trial.prepare("exact_integers"));
  EXPECT_FALSE(trial.prepare("unheard_of"));
  trial.op.inputs.front().layouts = {"contiguous"};
  EXPECT_FALSE(trial.prepare("padding_invariant"));
}

TEST(oracle_laws, a_reference_that_breaks_its_own_law_is_not_the_kernels_fault) {
  const LawTrial trial;
  const Inputs base = make_inputs(trial.test_case, trial.op, &trial.kernel);
  const LawRun run = *trial.prepare("permute_rows");
  const Expected right = LawTrial::reference(base);
  Expected wrong = LawTrial::reference(run.transformed);
  for (double& value : wrong.outputs.front().value) value += 5;
  const Outcome outcome = LawTrial::run(base, centred);
  EXPECT_EQ(judge_law("permute_rows",
                      {run, outcome, LawTrial::run(run.transformed, centred), right, wrong},
                      {trial.op, "f32", trial.tolerance, trial.test_case, right})
                .kind,
            Kind::not_checked);
}

TEST(oracle_laws, the_row_axis_is_found_by_shapes_alone) {
  OpSchema op = map_op();
  EXPECT_EQ(row_axis(op), "rows");
  op.inputs.front().shape = {axis_size("cols"), axis_size("rows")};
  EXPECT_EQ(row_axis(op), "rows");
  op.inputs.front().shape = {axis_size("cols"), axis_size("rows * 2")};
  EXPECT_EQ(row_axis(op), "cols");
  op.outputs.front().shape = {};
  EXPECT_FALSE(row_axis(op));
}

}  // namespace
}  // namespace gate
