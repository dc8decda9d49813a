// Archives and folders of strangers: the file is found, and everything odd is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gate/base/files.h"
#include "gate/publish/archive.h"
#include "gate/test/unit/zip_writer.h"

namespace gate {
namespace {

bool is_refused(const std::vector<ZipMember>& members) {
  return !file_in_zip(write_zip(members), "results.json");
}

TEST(Zip, FindsTheFileStoredOrDeflated) {
  for (const bool deflated : {false, true}) {
    const std::string zip = write_zip(
        {{"seeds/softmax/x.toml", "a", deflated}, {"results.json", "{\"version\": 1}", deflated}});
    const Result<std::string> content = file_in_zip(zip, "results.json");
    ASSERT_TRUE(static_cast<bool>(content)) << to_text(content.failure());
    EXPECT_EQ(*content, "{\"version\": 1}");
  }
}

TEST(Zip, RefusesOddNames) {
  for (const char* name : {"../x", "/etc/passwd", "a/../b", "a\\b", "a b", "./a", "a//b", "a\nb",
                           "x\x01", "é", "1/2/3/4/5/6/7/8/9", ""}) {
    EXPECT_TRUE(is_refused({{"results.json", "{}"}, {name, "x"}})) << name;
  }
  EXPECT_TRUE(is_refused({{"results.json", "{}"}, {std::string(101, 'a'), "x"}}));
}

TEST(Zip, RefusesLinksDoublesAndEncryption) {
  EXPECT_TRUE(is_refused({{"results.json", "{}"}, {"link", "/etc/passwd", false, 0120777}}));
  EXPECT_TRUE(is_refused({{"results.json", "{}"}, {"results.json", "{}"}}));
  EXPECT_TRUE(is_refused({{"a/results.json", "{}"}, {"b/results.json", "{}"}}));
  EXPECT_TRUE(is_refused({{"results.json", "{}", true, 0100644, 1}}));
}

TEST(Zip, RefusesBombs) {
  const std::string zeros(60u << 20, '\0');
  EXPECT_TRUE(is_refused({{"results.json", zeros}}));
  std::vector<ZipMember> many = {{"results.json", "{}"}};
  for (int i = 0; i < 256; ++i) many.push_back({"f" + std::to_string(i), ""});
  EXPECT_TRUE(is_refused(many));
  EXPECT_FALSE(file_in_zip(std::string(21u << 20, 'x'), "results.json"));
}

TEST(Zip, RefusesMembersThatLie) {
  const std::string content(5000, 'a');
  EXPECT_TRUE(is_refused({{"results.json", content, true, 0100644, 0, 10}}));
  EXPECT_TRUE(is_refused({{"results.json", content, true, 0100644, 0, 6000}}));
  EXPECT_TRUE(is_refused({{"results.json", content, true, 0100644, 0, {}, 7}}));
  EXPECT_TRUE(is_refused({{"results.json", content, false, 0100644, 0, 10}}));
}

TEST(Zip, SurvivesEveryCutAndEveryChangedByte) {
  const std::string zip = write_zip({{"results.json", "{\"version\": 1}"}, {"a/b", "text"}});
  for (std::size_t size = 0; size < zip.size(); ++size) {
    EXPECT_FALSE(file_in_zip(zip.substr(0, size), "results.json")) << size;
  }
  for (std::size_t at = 0; at < zip.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string changed = zip;
      changed[at] = value;
      const Result<std::string> content = file_in_zip(changed, "results.json");
      const std::string read = content ? *content : "{\"version\": 1}";
      EXPECT_EQ(read, "{\"version\": 1}") << at;
    }
  }
}

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    auto created = TemporaryFolder::create("gate-archive-test");
    ASSERT_TRUE(static_cast<bool>(created));
    folder_.emplace(*std::move(created));
    std::filesystem::create_directories(path() / "verdict");
    ASSERT_TRUE(static_cast<bool>(write_file(path() / "verdict" / "results.json", "{}")));
  }
  const std::filesystem::path& path() const { return folder_->path(); }
  bool is_readable() const { return static_cast<bool>(file_in_folder(path(), "results.json")); }

  std::optional<TemporaryFolder> folder_;
};

TEST_F(Folder, FindsTheFile) { EXPECT_TRUE(is_readable()); }

TEST_F(Folder, RefusesLinksAnywhere) {
  std::filesystem::create_symlink("/etc/passwd", path() / "note");
  EXPECT_FALSE(is_readable());
}

TEST_F(Folder, RefusesALinkInPlaceOfTheFile) {
  std::filesystem::remove(path() / "verdict" / "results.json");
  std::filesystem::create_symlink("/etc/passwd", path() / "verdict" / "results.json");
  EXPECT_FALSE(is_readable());
}

TEST_F(Folder, RefusesALinkedFolder) {
  std::filesystem::create_directory_symlink("/etc", path() / "more");
  EXPECT_FALSE(is_readable());
}

TEST_F(Folder, RefusesSpecialFiles) {
  ASSERT_EQ(::mkfifo((path() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(is_readable());
}

TEST_F(Folder, RefusesOddNamesAndCrowds) {
  ASSERT_TRUE(static_cast<bool>(write_file(path() / "a b", "")));
  EXPECT_FALSE(is_readable());
  std::filesystem::remove(path() / "a b");
  EXPECT_TRUE(is_readable());
  for (int i = 0; i < 256; ++i) std::ofstream(path() / ("f" + std::to_string(i)));
  EXPECT_FALSE(is_readable());
}

TEST_F(Folder, RefusesMoreBytesThanTheCap) {
  EXPECT_FALSE(file_in_folder(path(), "results.json", {.unpacked_bytes_max = 1}));
}

}  // namespace
}  // namespace gate
