// check() ends the process with the exit code of our own bugs, and says where and why.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/check.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

TEST(Check, PassesWhereTheInvariantHolds) { check(true, "one is one"); }

TEST(Check, EndsWithCode70AndNamesTheCaller) {
  EXPECT_EXIT(check(false, "one is two"), testing::ExitedWithCode(70),
              "internal error: .*check_test.cpp:[0-9]+: .* does not hold: one is two");
}

}  // namespace
}  // namespace gate
