// Laws of shrinking candidates: valid, different, simpler without end, down to the smallest case.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "gate/base/hash.h"
#include "gate/cases/candidates.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;

constexpr ShrinkStage stages[] = {ShrinkStage::attributes, ShrinkStage::axes,
                                  ShrinkStage::layouts,    ShrinkStage::profiles,
                                  ShrinkStage::values,     ShrinkStage::schedule};

struct Shrunk {
  Case value;
  int accepted = 0;
  std::set<std::string> tried;
};

/// Greedy as in search: the first failing candidate of the earliest stage, until none fails.
Shrunk shrink(Case value, const OpSchema& op, const KernelSpec* kernel,
              const std::function<bool(const Case&)>& fails) {
  Shrunk result{std::move(value), 0, {}};
  for (bool simpler = true; simpler && result.accepted < 1000;) {
    simpler = false;
    for (const ShrinkStage stage : stages) {
      for (bool again = true; again && result.accepted < 1000;) {
        again = false;
        for (const Case& candidate : candidates(result.value, op, kernel, stage)) {
          const bool known = !result.tried.insert(to_text(candidate)).second;
          if (known || !fails(candidate)) continue;
          result.value = candidate;
          ++result.accepted;
          again = simpler = true;
          break;
        }
      }
    }
  }
  return result;
}

std::vector<Entry> sample_plan(const OpSchema& op, const KernelSpec& kernel) {
  return make_plan(op, kernel, op.columns.front(), options_of(0x77));
}

TEST(CandidatesProperty, AreValidDifferentAndUnique) {
  for (const OpSchema& op : {row_op(), heads_op(), index_op()}) {
    KernelSpec kernel = kernel_of(op);
    kernel.tiles = {20};
    for (const Entry& entry : sample_plan(op, kernel)) {
      for (const ShrinkStage stage : stages) {
        std::set<std::string> seen;
        for (const Case& candidate : candidates(entry.test_case, op, &kernel, stage)) {
          EXPECT_TRUE(validate(candidate, op, &kernel)) << to_text(candidate);
          EXPECT_FALSE(candidate == entry.test_case);
          EXPECT_TRUE(seen.insert(to_text(candidate)).second) << to_text(candidate);
        }
      }
    }
  }
}

TEST(CandidatesProperty, AcceptingEverythingEndsAtTheSmallestCase) {
  for (const OpSchema& op : {row_op(), heads_op(), index_op()}) {
    const KernelSpec kernel = kernel_of(op);
    for (const Entry& entry : sample_plan(op, kernel)) {
      const Shrunk shrunk = shrink(entry.test_case, op, &kernel, [](const Case&) { return true; });
      EXPECT_LT(shrunk.accepted, 200);
      for (const Axis& axis : op.axes)
        EXPECT_EQ(shrunk.value.axes.at(axis.name), axis.min) << to_text(shrunk.value);
      for (const auto& [name, choice] : shrunk.value.tensors)
        EXPECT_EQ(choice.layout, "contiguous");
      for (const Attribute& attribute : op.attributes)
        EXPECT_EQ(shrunk.value.attributes.at(attribute.name), attribute.fallback);
    }
  }
}

TEST(CandidatesProperty, AnyAcceptanceRuleEnds) {
  const OpSchema op = row_op();
  const KernelSpec kernel = kernel_of(op);
  std::uint64_t rule = 1;
  for (const Entry& entry : sample_plan(op, kernel)) {
    ++rule;
    const Shrunk shrunk = shrink(entry.test_case, op, &kernel, [&](const Case& candidate) {
      return (stable_hash(to_text(candidate)) ^ rule) % 3 == 0;
    });
    EXPECT_LT(shrunk.accepted, 300);
  }
}

TEST(CandidatesProperty, EdgesAreFoundWithinTheBudget) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  kernel.tiles = {48};
  for (const std::int64_t edge : {1, 2, 5, 8, 32, 47, 96, 127, 1000, 4000}) {
    Case value = plain_case(op, {{"rows", 13}, {"cols", 4801}});
    value.tensors["x"].layout = "strided";
    value.tensors["x"].step = 3;
    const Shrunk shrunk = shrink(value, op, &kernel, [&](const Case& candidate) {
      return candidate.axes.at("cols") > edge && candidate.tensors.at("x").profile == "normal@1";
    });
    EXPECT_EQ(shrunk.value.axes.at("cols"), edge + 1);
    EXPECT_EQ(shrunk.value.axes.at("rows"), 1);
    EXPECT_LE(shrunk.tried.size(), 60u) << edge;
  }
}

TEST(CandidatesProperty, PeriodsAreFoundWithinTheBudget) {
  const OpSchema op = row_op();
  const KernelSpec kernel = kernel_of(op);
  for (const std::int64_t period : {4, 8, 20, 48, 128}) {
    const Shrunk shrunk = shrink(
        plain_case(op, {{"rows", 40}, {"cols", 2411}}), op, &kernel, [&](const Case& candidate) {
          return candidate.axes.at("cols") > period && candidate.axes.at("cols") % period != 0 &&
                 candidate.axes.at("rows") > 1;
        });
    EXPECT_LE(shrunk.value.axes.at("cols"), period + 1);
    EXPECT_EQ(shrunk.value.axes.at("rows"), 2);
    EXPECT_LE(shrunk.tried.size(), 80u) << period;
  }
}

TEST(CandidatesProperty, ValuesShrinkToFewSimpleElements) {
  const OpSchema op = row_op();
  const Case value = plain_case(op, {{"rows", 2}, {"cols", 8}});
  const Inputs before = make_inputs(value, op, nullptr);
  const bool negative = before.tensors[0].at(11) < 0;
  const Shrunk shrunk = shrink(value, op, nullptr, [&](const Case& candidate) {
    if (candidate.axes.at("cols") != 8 || candidate.axes.at("rows") != 2) return false;
    const Inputs inputs = make_inputs(candidate, op, nullptr);
    const double element = inputs.tensors[0].at(11);
    return element != 0 && (element < 0) == negative &&
           candidate.tensors.at("x").profile != "constant@1(0x3f800000)";
  });
  const TensorChoice& x = shrunk.value.tensors.at("x");
  const bool sparse = x.profile == "zeros@1" && x.elements.size() == 1;
  EXPECT_TRUE(sparse || x.profile == "impulse@1" || x.profile == "small_integers@1")
      << to_text(shrunk.value);
  if (sparse) {
    EXPECT_EQ(x.elements[0].bits, negative ? 0xbf800000u : 0x3f800000u);
  }
}

TEST(CandidatesProperty, TheLastElementStaysTheLastOne) {
  const OpSchema op = row_op();
  Case value = plain_case(op, {{"rows", 1}, {"cols", 40}});
  value.tensors["x"].profile = "zeros@1";
  value.tensors["x"].elements = {{3, 0x3f800000}, {39, 0xbf800000}};
  const Shrunk shrunk = shrink(value, op, nullptr, [](const Case& candidate) {
    const std::int64_t cols = candidate.axes.at("cols");
    const auto& elements = candidate.tensors.at("x").elements;
    return cols > 20 && !elements.empty() && elements.back().element == cols - 1;
  });
  EXPECT_EQ(shrunk.value.axes.at("cols"), 21);
  ASSERT_EQ(shrunk.value.tensors.at("x").elements.size(), 1u);
  EXPECT_EQ(shrunk.value.tensors.at("x").elements[0].element, 20);
}

TEST(CandidatesProperty, SchedulesShrinkTowardsAscending) {
  const OpSchema op = row_op();
  Case value = plain_case(op, {{"rows", 2}, {"cols", 8}});
  value.schedule = {Schedule::Order::shuffled, 99};
  const auto list = candidates(value, op, nullptr, ShrinkStage::schedule);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].schedule.order, Schedule::Order::ascending);
  EXPECT_EQ(list[1].schedule.order, Schedule::Order::descending);
  EXPECT_TRUE(candidates(list[0], op, nullptr, ShrinkStage::schedule).empty());
}

}  // namespace
}  // namespace gate
