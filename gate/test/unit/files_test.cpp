// Reading, atomic writing, finding, temporary folders.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace gate {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::create("files-test");
  fs::path path(const char* name) const { return folder_.path() / name; }
};

TEST_F(Files, ReadBackWhatWasWritten) {
  const std::string content("a\0b\n\xff", 5);
  ASSERT_TRUE(write_file(path("a"), content));
  const auto read = read_file(path("a"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, content);
  ASSERT_TRUE(write_file(path("a"), ""));
  EXPECT_EQ(*read_file(path("a")), "");
}

TEST_F(Files, ReadLargeOnes) {
  const std::string content(3'000'000, 'x');
  ASSERT_TRUE(write_file(path("large"), content));
  EXPECT_EQ(*read_file(path("large")), content);
}

TEST_F(Files, ReadOnesThatReportNoSize) {
  const auto status = read_file("/proc/self/status");
  ASSERT_TRUE(status);
  EXPECT_NE(status->find("Pid:"), std::string::npos);
}

TEST_F(Files, HoldTheSizeCap) {
  ASSERT_TRUE(write_file(path("ten"), "0123456789"));
  EXPECT_TRUE(read_file(path("ten"), 10));
  const auto read = read_file(path("ten"), 9);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.failure().fault, Fault::user);
  EXPECT_EQ(read.failure().problems[0].text, "file is larger than 9 bytes");
  EXPECT_FALSE(read_file("/proc/self/status", 3)) << "no size is reported in advance";
}

TEST_F(Files, RefuseWhatIsNoRegularFile) {
  const auto missing = read_file(path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.failure().problems[0].place.file, path("missing").string());
  EXPECT_NE(to_text(missing.failure()).find("No such file"), std::string::npos);
  EXPECT_FALSE(read_file(folder_.path()));
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(read_file(path("fifo"))) << "and does not wait for a writer";
}

TEST_F(Files, AreReplacedInOneStep) {
  ASSERT_TRUE(write_file(path("a"), "old"));
  std::ifstream reader(path("a"));
  ASSERT_TRUE(write_file(path("a"), "new"));
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old") << "an open reader keeps its file";
  EXPECT_EQ(find_files(folder_.path(), "").size(), 1u) << "no temporary is left";
}

TEST_F(Files, HonourTheUmask) {
  const mode_t before = ::umask(0027);
  const bool written = static_cast<bool>(write_file(path("a"), "x"));
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(Files, SayWhyTheyCannotBeWritten) {
  const auto written = write_file(path("none/a"), "x");
  ASSERT_FALSE(written);
  EXPECT_NE(to_text(written.failure()).find("No such file"), std::string::npos);
  ASSERT_TRUE(fs::create_directory(path("taken")));
  EXPECT_FALSE(write_file(path("taken"), "x"));
  EXPECT_TRUE(find_files(folder_.path(), "").empty()) << "no temporary is left";
}

TEST_F(Files, AreFoundSortedAndWithoutLinks) {
  fs::create_directories(path("b/c"));
  for (const char* name : {"b/c/2.toml", "b/1.toml", "z.toml", "a.txt"}) {
    ASSERT_TRUE(write_file(path(name), ""));
  }
  fs::create_symlink(path("z.toml"), path("link.toml"));
  fs::create_directory_symlink(path("b"), path("loop"));
  const std::vector<fs::path> expected = {path("b/1.toml"), path("b/c/2.toml"), path("z.toml")};
  EXPECT_EQ(find_files(folder_.path(), ".toml"), expected);
  EXPECT_TRUE(find_files(path("missing"), ".toml").empty());
}

TEST(TemporaryFolder, IsPrivateAndRemovedWithItsContents) {
  fs::path kept;
  {
    auto folder = TemporaryFolder::create("folder-test");
    ASSERT_TRUE(folder);
    kept = folder->path();
    EXPECT_EQ(fs::status(kept).permissions(), fs::perms(0700));
    ASSERT_TRUE(write_file(kept / "a", "x"));
    const TemporaryFolder moved = *std::move(folder);
    EXPECT_EQ(moved.path(), kept);
    EXPECT_TRUE(fs::exists(kept));
  }
  EXPECT_FALSE(fs::exists(kept));
}

TEST(TemporaryFolder, AssignmentRemovesTheOldOne) {
  TemporaryFolder a = *TemporaryFolder::create("folder-test");
  const fs::path old = a.path();
  {
    TemporaryFolder b = *TemporaryFolder::create("folder-test");
    a = std::move(b);
  }
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(a.path()));
}

}  // namespace
}  // namespace gate
