// What the study counts and draws: intervals, visibility, published strategies and values.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "gate/base/files.h"
#include "gate/cases/plan.h"
#include "gate/cli/catalogue.h"
#include "gate/search/study_part.h"
#include "gate/search/study_rules.h"

namespace gate {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double unknown = std::numeric_limits<double>::infinity();

class StudyTest : public testing::Test {
 protected:
  StudyTest() {
    auto opened = open_catalogue({std::filesystem::path(GATE_SOURCE_DIR) / "testcases"}, true);
    EXPECT_TRUE(opened) << (opened ? "" : to_text(opened.failure()));
    if (!opened) return;
    catalogue_ = std::move(*opened);
    auto read = read_study_corpus(catalogue_);
    EXPECT_TRUE(read) << (read ? "" : to_text(read.failure()));
    if (read) kernels_ = std::move(*read);
  }

  const StudyKernel& row(int number) const {
    for (const StudyKernel& kernel : kernels_) {
      if (kernel.row == number) return kernel;
    }
    ADD_FAILURE() << "no row " << number;
    return kernels_.front();
  }

  Catalogue catalogue_;
  std::vector<StudyKernel> kernels_;
};

TEST(StudyShare, HasTheWilsonInterval) {
  const Share share{8, 10};  // 0.4902 … 0.9433, Wilson 1927
  EXPECT_NEAR(share.low(), 0.4902, 1e-4);
  EXPECT_NEAR(share.high(), 0.9433, 1e-4);
  const Share none{0, 1882};
  EXPECT_EQ(none.low(), 0);
  EXPECT_NEAR(none.high(), 0.00204, 1e-5);
  EXPECT_EQ(to_text(Share{}), "-");
}

TEST_F(StudyTest, TheCorpusHas26RowsWithTenBugsAndSevenInThePopulation) {
  std::set<int> rows;
  int buggy = 0, population = 0;
  for (const StudyKernel& kernel : kernels_) {
    rows.insert(kernel.row);
    buggy += kernel.buggy ? 1 : 0;
    population += kernel.in_population ? 1 : 0;
    const bool modelled = find_bug_model(kernel.op->name, kernel.kernel->name) != nullptr;
    EXPECT_EQ(modelled, kernel.buggy) << kernel.kernel->name;
  }
  EXPECT_EQ(rows.size(), 26u);
  EXPECT_EQ(*rows.rbegin(), 26);
  EXPECT_EQ(buggy, 10);
  EXPECT_EQ(population, 7);
}

TEST_F(StudyTest, EveryPublishedCaseIsLegal) {
  for (const StudyKernel& kernel : kernels_) {
    for (const StudyStrategy& strategy : all_study_strategies()) {
      for (const std::string& column : study_columns(kernel, strategy)) {
        const Case value = study_case(kernel, column, strategy, 7);
        const Result<Done> legal = validate(value, *kernel.op, kernel.kernel);
        EXPECT_TRUE(legal) << to_text(value) << (legal ? "" : to_text(legal.failure()));
        const Result<Case> again = parse_case(to_text(value));
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, value);
      }
    }
  }
}

TEST_F(StudyTest, ShapeStrategiesChangeOnlyTheDimensionH) {
  std::set<std::int64_t> native, boundary;
  for (std::uint64_t key = 0; key < 200; ++key) {
    native.insert(study_case(row(6), "f32", study_strategy("default"), key).axes.at("cols"));
    const Case changed = study_case(row(6), "f32", study_strategy("boundary"), key);
    boundary.insert(changed.axes.at("cols"));
    EXPECT_EQ(changed.axes.at("rows"),
              study_case(row(6), "f32", study_strategy("regular"), key).axes.at("rows"));
    EXPECT_EQ(study_case(row(22), "f32", study_strategy("boundary"), key).axes,
              study_case(row(22), "f32", study_strategy("default"), key).axes);
  }
  EXPECT_EQ(native, (std::set<std::int64_t>{3, 256, 1025}));
  EXPECT_EQ(boundary, (std::set<std::int64_t>{1, 3, 7}));
}

TEST_F(StudyTest, SpecialValuesAreInjectedAsPublished) {
  Case value = study_case(row(9), "f32", study_strategy("nan_injected"), 3);
  value.axes = {{"rows", 64}, {"cols", 1025}};
  EXPECT_EQ(value.property, property_special);
  const auto count = [&](const std::string& column, auto wanted) {
    value.column = column;
    const Inputs inputs = make_inputs(value, *row(9).op, nullptr);
    const Tensor* x = find_tensor(inputs, "x");
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < x->elements(); ++i) found += wanted(x->at(i)) ? 1 : 0;
    return static_cast<double>(found) / static_cast<double>(x->elements());
  };
  const auto is_nan = [](double x) { return std::isnan(x); };
  const auto is_inf = [](double x) { return std::isinf(x); };
  EXPECT_NEAR(count("f32", is_nan), 0.0125, 0.002);
  EXPECT_NEAR(count("f32", is_inf), 0.025, 0.003);
  value.tensors["x"].profile = "study_adversarial@1";
  EXPECT_NEAR(count("f32", is_nan), 0.2 / 3, 0.005);
  EXPECT_EQ(count("f16", is_nan), 0);
  EXPECT_NEAR(count("f16", is_inf), 0.4, 0.01);
}

TEST_F(StudyTest, ADifferenceIsVisibleBeyondTheFinalRoundingOnly) {
  Expected right, buggy;
  right.outputs = {{"y", {1, 2, nan}, {0, 0, 0}, {}, {}, {}}};
  buggy = right;
  const OpSchema& op = *row(9).op;
  EXPECT_FALSE(visible_difference(buggy, right, op, "f16").anywhere);
  buggy.outputs[0].value[0] = 1 + 0x1p-12;
  EXPECT_FALSE(visible_difference(buggy, right, op, "f16").anywhere);
  buggy.outputs[0].value[0] = 1 + 0x1p-10;
  EXPECT_TRUE(visible_difference(buggy, right, op, "f16").judgeable);
  right.outputs[0].envelope[0] = unknown;  // a correct kernel may answer anything there
  EXPECT_TRUE(visible_difference(buggy, right, op, "f16").anywhere);
  EXPECT_FALSE(visible_difference(buggy, right, op, "f16").judgeable);
  buggy.outputs[0].value[2] = 3;  // another class
  EXPECT_EQ(visible_difference(buggy, right, op, "f16").elements, 1);
}

TEST_F(StudyTest, AbsoluteRulesActAsPublished) {
  Outcome outcome;
  Tensor y = make_tensor("y", Role::output, DType::f32, contiguous_view({2}));
  y.set(0, 1);
  y.set(1, nan);
  outcome.after = {y};
  Expected expected;
  expected.outputs = {{"y", {1, nan}, {0, 0}, {}, {}, {}}};
  const std::string column = "f32";
  const RuleSubject subject{row(9), column, outcome, expected};
  const auto fails = [&](std::string_view name) {
    for (const StudyRule& rule : all_study_rules()) {
      if (rule.name == name) return rule.fails(subject);
    }
    ADD_FAILURE() << name;
    return false;
  };
  EXPECT_TRUE(fails("hand"));  // any NaN
  EXPECT_FALSE(fails("hand_nan_aware"));
  outcome.after[0].set(1, 1);
  expected.outputs[0].value = {1.00009, 1};  // hand 1e-4, calibrated 1.431e-6
  EXPECT_FALSE(fails("hand"));
  EXPECT_TRUE(fails("calibrated"));
}

TEST_F(StudyTest, BugsOfTheDefaultPlanAreTheTenInTheirColumns) {
  std::set<std::string> buggy, planned;
  for (const StudyKernel& kernel : kernels_) {
    if (kernel.buggy) buggy.insert(kernel.kernel->name);
  }
  const std::vector<PlanBug> bugs = read_plan_bugs(catalogue_, "paper");
  for (const PlanBug& bug : bugs) {
    planned.insert(bug.kernel->name);
    EXPECT_GE(bug.tolerance.c, 1) << bug.kernel->name;
  }
  EXPECT_EQ(planned, buggy);
  EXPECT_EQ(bugs.size(), 30u);
  EXPECT_TRUE(read_plan_bugs(catalogue_, "nothing").empty());
}

TEST_F(StudyTest, TheFirstEntriesOfAPlanAreThoseOfTheWholePlan) {
  PlanOptions options;
  options.run_seed = 5;
  options.device = "emu";
  options.profile = catalogue_.config.profiles.at("pr");
  const StudyKernel& kernel = row(6);
  const auto whole = make_plan(*kernel.op, *kernel.kernel, "f32", options);
  options.first = 16;
  const auto first = make_plan(*kernel.op, *kernel.kernel, "f32", options);
  ASSERT_EQ(first.size(), 16u);
  ASSERT_GT(whole.size(), 16u);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].test_case, whole[i].test_case) << i;
    EXPECT_EQ(first[i].siblings, whole[i].siblings) << i;
  }
}

TEST(StudyUnits, AreKeptAndGoOnAfterTheDeadline) {
  const Result<TemporaryFolder> folder = TemporaryFolder::create("gate-units");
  ASSERT_TRUE(folder);
  const std::vector<std::string> names = {"a", "b", "grey"};
  int measured = 0;
  const auto measure = [&](std::size_t i) -> UnitResult {
    ++measured;
    return {StudyJson({{"number", i}}), names[i] != "grey"};
  };
  UnitOptions options;
  options.kept = UnitStore(folder->path() / "units");
  options.deadline = std::chrono::steady_clock::now();
  TakenUnits taken = take_units(options, names, measure);
  EXPECT_EQ(taken.missing, 3u);
  EXPECT_EQ(measured, 0);
  options.deadline.reset();
  taken = take_units(options, names, measure);
  EXPECT_EQ(taken.missing, 0u);
  EXPECT_EQ(measured, 3);
  options.deadline = std::chrono::steady_clock::now();
  taken = take_units(options, names, measure);
  EXPECT_EQ(taken.missing, 1u);  // what was not checked is not kept
  EXPECT_EQ(taken.results[1]["number"], 1);
  EXPECT_TRUE(taken.results[2].is_null());
  EXPECT_EQ(measured, 3);
}

TEST(StudyUnits, KeepNumbersThatJsonLacks) {
  for (const double number : {0.1, unknown, -unknown}) {
    EXPECT_EQ(number_of(StudyJson::parse(number_json(number).dump())), number);
  }
  EXPECT_TRUE(std::isnan(number_of(number_json(nan))));
}

}  // namespace
}  // namespace gate
