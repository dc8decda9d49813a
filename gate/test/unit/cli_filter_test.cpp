// GoogleTest's filter syntax, and shards.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/cli/filter.h"
#include "gate/cli/shard.h"

namespace gate {
namespace {

bool selects(const std::string& filter, const std::string& name) {
  return TestFilter(filter).matches(name);
}

TEST(TestFilter, works_as_in_googletest) {
  EXPECT_TRUE(selects("*", "a/b.f32/exact"));
  EXPECT_TRUE(selects("a/b.f32/exact", "a/b.f32/exact"));
  EXPECT_FALSE(selects("a/b", "a/b.f32/exact"));
  EXPECT_TRUE(selects("x*:a/b.*", "a/b.f32/exact"));
  EXPECT_TRUE(selects("a/?.f32/*", "a/b.f32/exact"));
  EXPECT_FALSE(selects("*-*exact", "a/b.f32/exact"));
  EXPECT_FALSE(selects("a*-x*:*exact", "a/b.f32/exact"));
  EXPECT_TRUE(selects("-*huge", "a/b.f32/exact"));
  EXPECT_FALSE(selects("-*huge", "a/b.f32/huge"));
  EXPECT_FALSE(selects("", "a/b.f32/exact"));
}

TEST(TestFilter, the_number_of_a_seed_is_part_of_its_name) {
  EXPECT_TRUE(selects("a/b.f32/seed/0a-2", "a/b.f32/seed/0a-2"));
  EXPECT_FALSE(selects("a/b.f32/seed/0a-2", "a/b.f32/seed/0a"));
  EXPECT_TRUE(selects("a/b.f32/seed/0a-2:c", "c"));
  EXPECT_FALSE(selects("*-a/b.f32/seed/0a-2", "a/b.f32/seed/0a-2"));
}

TEST(Shard, options_win_over_the_environment) {
  const ShardEnvironment environment{"4", "3", ""};
  EXPECT_EQ(to_text(*choose_shard("", environment)), "3/4");
  EXPECT_EQ(to_text(*choose_shard("0/2", environment)), "0/2");
  EXPECT_EQ(to_text(*choose_shard("", {})), "");
}

TEST(Shard, nonsense_is_refused) {
  for (const std::string text : {"1", "a/b", "2/2", "-1/2", "1/2/3", "0/0", "/", "0/99999999"}) {
    EXPECT_FALSE(choose_shard(text, {})) << text;
  }
  EXPECT_FALSE(choose_shard("", {"2", "", ""}));
  EXPECT_FALSE(choose_shard("", {"", "1", ""}));
}

TEST(Shard, every_name_is_in_exactly_one) {
  for (int i = 0; i < 200; ++i) {
    const std::string name = "op/kernel" + std::to_string(i) + "/f32";
    int shards = 0;
    for (int index = 0; index < 3; ++index) shards += in_shard({index, 3}, name) ? 1 : 0;
    EXPECT_EQ(shards, 1) << name;
  }
}

}  // namespace
}  // namespace gate
