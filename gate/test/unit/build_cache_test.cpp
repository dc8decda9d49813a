// Depfiles and the build cache.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/build_cache.h"

#include <gtest/gtest.h>

#include "gate/base/files.h"
#include "gate/worker/depfile.h"

namespace gate {
namespace {

TEST(Depfile, names_with_all_escapes) {
  const auto files = parse_depfile(
      "out.o: a.cpp \\\n  /b/with\\ space.h c$$d.h \\\r\n e\\#f.h\n"
      "\nsecond other: a.cpp g.h\ng.h:\n");
  const std::vector<std::string> want = {"a.cpp", "/b/with space.h", "c$d.h", "e#f.h", "g.h"};
  EXPECT_EQ(files, want);
  EXPECT_TRUE(parse_depfile("").empty());
  EXPECT_TRUE(parse_depfile("target without colon").empty());
  EXPECT_EQ(parse_depfile("a: C:\\x\\y.h"), std::vector<std::string>{"C:\\x\\y.h"});
}

class Cache : public testing::Test {
 protected:
  Cache() : folder_(std::move(*TemporaryFolder::create("gate-cache"))), cache_(root()) {}
  std::filesystem::path root() const { return folder_.path() / "cache"; }
  std::filesystem::path source() const { return folder_.path() / "source"; }
  void store(const std::string& key, const std::string& image) {
    const auto file = cache_.new_file(key);
    ASSERT_TRUE(file);
    ASSERT_TRUE(write_file(*file, image));
    ASSERT_TRUE(cache_.store(key, *file, {source().string()}, true));
  }
  std::string found(const std::string& key) {
    const auto build = cache_.find(key);
    return build ? *read_file(build->image) : "nothing";
  }
  TemporaryFolder folder_;
  BuildCache cache_;
};

TEST_F(Cache, finds_what_was_stored_under_its_key) {
  ASSERT_TRUE(write_file(source(), "one"));
  EXPECT_EQ(found("key"), "nothing");
  store("key", "image one");
  EXPECT_EQ(found("key"), "image one");
  EXPECT_EQ(found("other"), "nothing");
  EXPECT_TRUE(cache_.find("key")->uses_shared_or_atomics);
}

TEST_F(Cache, a_changed_file_is_another_build_and_old_ones_stay) {
  ASSERT_TRUE(write_file(source(), "one"));
  store("key", "image one");
  ASSERT_TRUE(write_file(source(), "two"));
  EXPECT_EQ(found("key"), "nothing");
  store("key", "image two");
  EXPECT_EQ(found("key"), "image two");
  ASSERT_TRUE(write_file(source(), "one"));
  EXPECT_EQ(found("key"), "image one");
  std::filesystem::remove(source());
  EXPECT_EQ(found("key"), "nothing");
}

TEST_F(Cache, a_lost_image_or_damaged_manifest_is_built_again) {
  ASSERT_TRUE(write_file(source(), "one"));
  store("key", "image one");
  std::filesystem::remove(cache_.find("key")->image);
  EXPECT_EQ(found("key"), "nothing");
  store("key", "image one");
  for (const auto& entry : std::filesystem::directory_iterator(root())) {
    if (entry.path().extension() != ".json") continue;
    const std::string manifest = *read_file(entry.path());
    for (const std::string& damage :
         {std::string("[{\"image\":"), std::string("[[]]"), std::string("[{\"image\":1}]"),
          manifest.substr(0, manifest.size() / 2)}) {
      ASSERT_TRUE(write_file(entry.path(), damage));
      EXPECT_EQ(found("key"), "nothing");
    }
  }
  store("key", "image one");
  EXPECT_EQ(found("key"), "image one");
}

}  // namespace
}  // namespace gate
