// Shapes and strided views.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/shape.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

using Extents = std::vector<std::int64_t>;

TEST(Shape, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({3, 4}), 12);
  EXPECT_EQ(element_count({3, 0, 4}), 0);
  EXPECT_EQ(element_count({1ll << 40, 1ll << 40}), INT64_MAX) << "saturates";
  EXPECT_EQ(element_count({1ll << 40, 1ll << 40, 0}), 0);
  EXPECT_EXIT(element_count({2, -1}), testing::ExitedWithCode(70), "not negative");
}

TEST(Shape, IsRowMajorWithoutGaps) {
  EXPECT_EQ(contiguous_view({2, 3, 4}), (View{{2, 3, 4}, {12, 4, 1}, 0}));
  EXPECT_EQ(contiguous_view({}), (View{{}, {}, 0}));
}

TEST(Shape, NeedsStorageUpToTheLastElement) {
  EXPECT_EQ(storage_elements(contiguous_view({2, 3})), 6);
  EXPECT_EQ(storage_elements({{2, 3}, {8, 2}, 5}), 5 + 8 + 4 + 1);
  EXPECT_EQ(storage_elements({{3, 4}, {0, 1}, 0}), 4) << "broadcast";
  EXPECT_EQ(storage_elements({{3}, {-2}, 4}), 5) << "backwards";
  EXPECT_EQ(storage_elements({{}, {}, 7}), 8);
  EXPECT_EQ(storage_elements({{0, 4}, {4, 1}, 9}), 0);
  EXPECT_EQ(storage_elements({{1ll << 40}, {1ll << 40}, 0}), INT64_MAX) << "saturates";
  EXPECT_EXIT(storage_elements({{3}, {-2}, 3}), testing::ExitedWithCode(70), "inside its storage");
  EXPECT_EXIT(storage_elements({{3}, {}, 0}), testing::ExitedWithCode(70), "one stride per axis");
}

TEST(Shape, KnowsWhetherPositionsAreNumbers) {
  EXPECT_TRUE(is_contiguous(contiguous_view({2, 3})));
  EXPECT_TRUE(is_contiguous({{}, {}, 0}));
  EXPECT_TRUE(is_contiguous({{1, 3}, {100, 1}, 0})) << "a lone row may have any pitch";
  EXPECT_TRUE(is_contiguous({{2, 0}, {5, 5}, 3})) << "nothing to be out of place";
  EXPECT_FALSE(is_contiguous({{2, 3}, {4, 1}, 0}));
  EXPECT_FALSE(is_contiguous({{2, 3}, {1, 2}, 0}));
  EXPECT_FALSE(is_contiguous({{2, 3}, {3, 1}, 1}));
}

TEST(Shape, FindsElements) {
  const View transposed{{2, 3}, {1, 2}, 10};
  EXPECT_EQ(position(transposed, 0), 10);
  EXPECT_EQ(position(transposed, 1), 12);
  EXPECT_EQ(position(transposed, 3), 11);
  EXPECT_EQ(position(transposed, 5), 15);
  EXPECT_EQ(index_of({2, 3}, 5), (Extents{1, 2}));
  EXPECT_EQ(index_of({4, 1, 5}, 7), (Extents{1, 0, 2}));
  EXPECT_EQ(index_of({}, 0), Extents{});
}

}  // namespace
}  // namespace gate
