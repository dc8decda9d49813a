// The verdict words read back, and no kind is both green and something else.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/kind.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

TEST(kind, names_read_back) {
  EXPECT_EQ(all_kinds().size(), 16u);
  for (const Kind kind : all_kinds()) EXPECT_EQ(kind_named(name(kind)), kind);
  EXPECT_FALSE(kind_named("Wrong"));
  EXPECT_FALSE(kind_named(""));
}

TEST(kind, colours) {
  int green = 0, grey = 0, red = 0;
  for (const Kind kind : all_kinds()) {
    (colour(kind) == Colour::green ? green : colour(kind) == Colour::grey ? grey : red) += 1;
  }
  EXPECT_EQ(green, 1);
  EXPECT_EQ(grey, 3);
  EXPECT_EQ(red, 12);
  EXPECT_EQ(colour(Kind::pass), Colour::green);
  EXPECT_EQ(colour(Kind::not_checked), Colour::grey);
  EXPECT_EQ(colour(Kind::build_failed), Colour::red);
}

TEST(kind, classes_read_back) {
  for (const Class value : {Class::clean, Class::illusion, Class::defect, Class::unchecked}) {
    EXPECT_EQ(class_named(name(value)), value);
  }
  EXPECT_FALSE(class_named("dirty"));
}

TEST(kind, properties) {
  for (const char* text :
       {"value", "special", "repeat", "memory", "build", "law:shift_invariant"}) {
    EXPECT_TRUE(is_property(text)) << text;
  }
  for (const char* text : {"", "law:", "law:a b", "values", "law", "Value"}) {
    EXPECT_FALSE(is_property(text)) << text;
  }
}

}  // namespace
}  // namespace gate
