// Laws of plans: same arguments, same plan; every case valid, within the caps, distinct, and its
// text reads back; expanding a case twice gives the same bytes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "gate/base/random.h"
#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;

struct Subject {
  OpSchema op;
  KernelSpec kernel;
};

/// Ops with kernels of several kinds: plain, tiled, aligned and constrained.
std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const OpSchema& op : {row_op(), heads_op(), index_op()}) list.push_back({op, kernel_of(op)});
  Subject tiled{row_op(), kernel_of(row_op())};
  tiled.kernel.name = "tiled";
  tiled.kernel.tiles = {48};
  tiled.kernel.alignment = 16;
  tiled.kernel.constraints = {expression("cols % 8 == 0"), expression("rows * cols >= 64"),
                              expression("x.stride(1) == 1")};
  list.push_back(tiled);
  return list;
}

template <class Visit>
void each_plan(Visit visit) {
  for (const Subject& subject : subjects())
    for (const std::string& column : subject.op.columns)
      for (const std::uint64_t seed : {0x1ull, 0xfeedull, 0xffff'ffff'ffff'ffffull})
        for (const char* device : {"emu", "cuda"}) visit(subject, column, options_of(seed, device));
}

TEST(PlanProperty, SameArgumentsSamePlanAndOtherSeedsOtherPlans) {
  each_plan([](const Subject& subject, const std::string& column, const PlanOptions& options) {
    const auto first = make_plan(subject.op, subject.kernel, column, options);
    const auto second = make_plan(subject.op, subject.kernel, column, options);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].strategy, second[i].strategy);
      EXPECT_EQ(first[i].test_case, second[i].test_case);
      EXPECT_EQ(first[i].siblings, second[i].siblings);
    }
    PlanOptions other = options;
    other.run_seed += 1;
    const auto third = make_plan(subject.op, subject.kernel, column, other);
    ASSERT_FALSE(third.empty());
    EXPECT_FALSE(third.front().test_case == first.front().test_case);
  });
}

TEST(PlanProperty, AKernelsPlanDoesNotDependOnItsFile) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  const auto before = make_plan(op, kernel, "f32", options_of(1));
  kernel.source = "elsewhere.cu";
  kernel.corpus = "label";
  const auto after = make_plan(op, kernel, "f32", options_of(1));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(before[i].test_case, after[i].test_case);
}

TEST(PlanProperty, EveryCaseIsValidWithinCapsAndReadsBack) {
  each_plan([](const Subject& subject, const std::string& column, const PlanOptions& options) {
    const auto plan = make_plan(subject.op, subject.kernel, column, options);
    EXPECT_EQ(static_cast<std::int64_t>(plan.size()), options.profile.entries);
    const DeviceCaps& caps = options.profile.caps.at(options.device);
    for (const Entry& entry : plan) {
      const std::string text = to_text(entry.test_case);
      const auto valid = validate(entry.test_case, subject.op, &subject.kernel);
      EXPECT_TRUE(static_cast<bool>(valid)) << text;
      const auto back = parse_case(text);
      ASSERT_TRUE(static_cast<bool>(back)) << text;
      EXPECT_EQ(*back, entry.test_case) << text;
      const CaseCost cost = cost_of(entry.test_case, subject.op);
      EXPECT_LE(cost.elements, caps.elements_max) << text;
      EXPECT_LE(cost.operations, caps.operations_max) << text;
    }
  });
}

TEST(PlanProperty, InputsAreDistinctAndExpandToTheSameBytes) {
  each_plan([](const Subject& subject, const std::string& column, const PlanOptions& options) {
    std::set<std::string> seen;
    for (const Entry& entry : make_plan(subject.op, subject.kernel, column, options)) {
      if (cost_of(entry.test_case, subject.op).elements > 1 << 16) continue;
      const Inputs inputs = make_inputs(entry.test_case, subject.op, &subject.kernel);
      std::string identity = input_digest(inputs);
      EXPECT_EQ(input_digest(make_inputs(entry.test_case, subject.op, &subject.kernel)), identity);
      for (const auto& [name, choice] : entry.test_case.tensors)
        if (!is_input(subject.op, name))
          identity += " " + choice.layout + std::to_string(choice.padding + choice.offset) + "/" +
                      std::to_string(choice.step);
      EXPECT_TRUE(seen.insert(identity).second) << to_text(entry.test_case);
    }
  });
}

TEST(PlanProperty, ASpaceWithFewInputsEndsItsPlan) {
  const OpSchema op = op_of("few", R"(summary = "two sizes, constant values"
[axes]
n = { min = 1, max = 2 }
[columns]
f32 = { x = "f32", y = "f32" }
[inputs.x]
shape = ["n"]
values = ["zeros"]
[outputs.y]
shape = ["n"]
[fixed_shape]
n = 2
)");
  EXPECT_EQ(make_plan(op, kernel_of(op), "f32", options_of(1)).size(), 2u);
}

TEST(PlanProperty, ConstraintsThatNothingSatisfiesGiveAnEmptyPlan) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  kernel.constraints = {expression("rows + cols == 1")};
  EXPECT_TRUE(make_plan(op, kernel, "f32", options_of(1)).empty());
}

}  // namespace
}  // namespace gate
