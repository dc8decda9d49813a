// Result, Failure and their texts.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace gate {
namespace {

TEST(Result, HoldsAValue) {
  const Result<std::string> result(std::string("text"));
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "text");
  EXPECT_EQ(result->size(), 4u);
}

TEST(Result, HoldsAFailure) {
  const Result<int> result(user_failure("wrong", "do right", {"a.toml", 3, 7}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().fault, Fault::user);
  ASSERT_EQ(result.failure().problems.size(), 1u);
  EXPECT_EQ(result.failure().problems[0].place.column, 7);
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, RefusesTheOtherSide) {
  const Result<int> good(1), bad(machine_failure("none"));
  EXPECT_EXIT(good.failure(), testing::ExitedWithCode(70), "only of a failed result");
  EXPECT_EXIT(*bad, testing::ExitedWithCode(70), "only of a successful result");
}

TEST(FailureText, ShowsKnownPartsOfThePlace) {
  EXPECT_EQ(to_text(Place{"a.toml", 3, 7}), "a.toml:3:7");
  EXPECT_EQ(to_text(Place{"a.toml", 3, 0}), "a.toml:3");
  EXPECT_EQ(to_text(Place{"a.toml", 0, 7}), "a.toml");
  EXPECT_EQ(to_text(Place{"", 1, 7}), "1:7");
  EXPECT_EQ(to_text(Place{}), "");
}

TEST(FailureText, HasOneBlockPerProblem) {
  Failure failure = user_failure("unknown key: axe", "did you mean axes?", {"op.toml", 2, 1});
  failure.problems.push_back({{}, "no output", {}});
  EXPECT_EQ(to_text(failure),
            "op.toml:2:1: error: unknown key: axe\n  hint: did you mean axes?\nerror: no output");
  EXPECT_EQ(machine_failure("no device").fault, Fault::machine);
}

}  // namespace
}  // namespace gate
