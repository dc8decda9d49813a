// Layouts: every one is a real view without overlaps, with the gaps where it says.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "gate/cases/layout.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

TensorChoice choice(const std::string& layout, std::int64_t amount) {
  TensorChoice made;
  made.layout = layout;
  if (layout == "row_pitch") made.padding = amount;
  if (layout == "strided") made.step = amount;
  if (layout == "offset") made.offset = amount;
  return made;
}

TEST(Layouts, AllButBroadcastReachEveryElementOnce) {
  const std::vector<std::int64_t> shape = {3, 4, 5};
  for (const auto& [layout, amount] : {std::pair{"contiguous", 0},
                                       {"row_pitch", 3},
                                       {"strided", 2},
                                       {"offset", 7},
                                       {"transposed", 0}}) {
    const View view = view_of(choice(layout, amount), shape);
    std::set<std::int64_t> places;
    for (std::int64_t i = 0; i < element_count(shape); ++i) places.insert(position(view, i));
    EXPECT_EQ(places.size(), 60u) << layout;
    EXPECT_LT(*places.rbegin(), storage_elements(view)) << layout;
  }
}

TEST(Layouts, StridesAreAsNamed) {
  using Strides = std::vector<std::int64_t>;
  EXPECT_EQ(view_of(choice("row_pitch", 3), {2, 4}).strides, (Strides{7, 1}));
  EXPECT_EQ(view_of(choice("strided", 3), {2, 4}).strides, (Strides{12, 3}));
  EXPECT_EQ(view_of(choice("transposed", 0), {2, 4}).strides, (Strides{1, 2}));
  EXPECT_EQ(view_of(choice("broadcast", 0), {2, 4}).strides, (Strides{0, 1}));
  EXPECT_EQ(view_of(choice("broadcast", 0), {1, 4}).strides, (Strides{0, 0}));
  EXPECT_EQ(view_of(choice("offset", 5), {2, 4}).offset, 5);
  EXPECT_TRUE(is_contiguous(view_of(choice("contiguous", 0), {2, 4})));
}

TEST(Layouts, ProblemsAreNamed) {
  const OpSchema op = cases_test::row_op();
  const TensorSchema& x = op.inputs.front();
  const auto problem = [&](const TensorChoice& made, const KernelSpec* kernel = nullptr) {
    return layout_problem(made, x, 4, kernel);
  };
  EXPECT_EQ(problem(choice("row_pitch", 3)), "");
  EXPECT_NE(problem(choice("row_pitch", 0)), "");
  EXPECT_NE(problem(choice("strided", 1)), "");
  EXPECT_NE(problem(choice("offset", 0)), "");
  EXPECT_NE(problem(choice("diagonal", 0)), "");
  TensorChoice foreign = choice("contiguous", 0);
  foreign.padding = 3;
  EXPECT_NE(problem(foreign), "");
  EXPECT_NE(layout_problem(choice("strided", 2), op.outputs.front(), 4, nullptr), "");
  KernelSpec aligned;
  aligned.alignment = 16;
  EXPECT_EQ(problem(choice("row_pitch", 4), &aligned), "");
  EXPECT_NE(problem(choice("row_pitch", 3), &aligned), "");
  EXPECT_NE(problem(choice("offset", 2), &aligned), "");
}

}  // namespace
}  // namespace gate
