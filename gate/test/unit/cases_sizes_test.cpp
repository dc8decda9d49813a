// Boundary sizes: what an axis contributes, with origins, and how constraints move it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gate/cases/sizes.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

const BoundarySize* find(const std::vector<BoundarySize>& sizes, std::int64_t size) {
  const auto at = std::find_if(sizes.begin(), sizes.end(),
                               [&](const BoundarySize& s) { return s.size == size; });
  return at == sizes.end() ? nullptr : &*at;
}

TEST(Sizes, EndsPowersCofactorsPrimesAndLaunchLimitsAreThere) {
  const auto sizes = boundary_sizes({"cols", 1, 200'000, {}}, nullptr);
  for (const std::int64_t size : {1, 2, 3, 7, 127, 128, 129, 1023, 1025, 24, 40, 352, 2304, 65535,
                                  65536, 131070, 131071, 200'000})
    EXPECT_NE(find(sizes, size), nullptr) << size;
  EXPECT_EQ(find(sizes, 129)->origin, "2^7+1");
  EXPECT_EQ(find(sizes, 131071)->origin, "2^17-1");
  EXPECT_EQ(find(sizes, 131070)->origin, "65535*2");
  EXPECT_EQ(find(sizes, 200'000)->origin, "axis max");
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end(),
                             [](const auto& a, const auto& b) { return a.size < b.size; }));
}

TEST(Sizes, TilesBringTheirEdgesAndHalves) {
  KernelSpec kernel;
  kernel.tiles = {48};
  kernel.mined_tiles = {20, 3};
  const auto sizes = boundary_sizes({"cols", 1, 4096, {}}, &kernel);
  for (const std::int64_t size :
       {23, 24, 25, 47, 48, 49, 71, 72, 73, 95, 96, 97, 145, 193, 19, 20, 21, 10, 11, 30, 31})
    EXPECT_NE(find(sizes, size), nullptr) << size;
  EXPECT_EQ(find(sizes, 49)->origin, "tile 48 (declared)+1");
  EXPECT_EQ(find(sizes, 21)->origin, "tile 20 (mined)+1");
  EXPECT_EQ(find(sizes, 72)->origin, "tile 48 (declared)*3/2");
}

TEST(Sizes, StayInsideTheAxis) {
  for (const BoundarySize& size : boundary_sizes({"d", 5, 100, {}}, nullptr)) {
    EXPECT_GE(size.size, 5);
    EXPECT_LE(size.size, 100);
  }
  const auto listed = boundary_sizes({"d", 16, 128, {16, 64, 128}}, nullptr);
  ASSERT_EQ(listed.size(), 3u);
  EXPECT_EQ(listed[1].size, 64);
}

TEST(Sizes, ConstraintsOnOneAxisMoveSizesToTheirNeighbours) {
  KernelSpec kernel;
  kernel.constraints = {cases_test::expression("cols % 4 == 0")};
  const auto sizes = boundary_sizes({"cols", 1, 4096, {}}, &kernel);
  for (const BoundarySize& size : sizes) EXPECT_EQ(size.size % 4, 0) << size.size;
  EXPECT_NE(find(sizes, 132), nullptr) << "above 129";
  EXPECT_NE(find(sizes, 124), nullptr) << "below 127";
  EXPECT_NE(find(sizes, 132)->origin.find("next legal"), std::string::npos);
}

}  // namespace
}  // namespace gate
