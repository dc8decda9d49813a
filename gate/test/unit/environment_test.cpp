// The environment we pass on, our own folder, and the folders of runtime.h.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/runtime.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Sets or removes a variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    was_set_ = before != nullptr;
    before_ = was_set_ ? before : "";
    if (value != nullptr) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (was_set_) {
      ::setenv(name_, before_.c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  bool was_set_ = false;
  std::string before_;
};

TEST(Environment, LosesWhatTheRunnerAroundUsSet) {
  constexpr std::array<const char*, 9> gone = {
      "GTEST_FILTER",         "GTEST_SHARD_INDEX", "TEST_TMPDIR",
      "TESTBRIDGE_TEST_ONLY", "RC_PARAMS",         "LD_AUDIT",
      "XML_OUTPUT_FILE",      "GCOV_PREFIX",       "LD_PRELOAD"};
  constexpr std::array<const char*, 4> kept = {"GATE_TESTING", "MY_GTEST_FILTER", "LD_LIBRARY_PATH",
                                               "RC_PARAMS_OTHER"};
  // In a child process: the variables of this one are the test runner's own.
  const auto scrub_and_look = [&] {
    for (const char* name : gone) ::setenv(name, "", 1);
    for (const char* name : kept) ::setenv(name, "", 1);
    scrub_environment();
    for (const char* name : gone) {
      if (std::getenv(name) != nullptr) std::_Exit(1);
    }
    for (const char* name : kept) {
      if (std::getenv(name) == nullptr) std::_Exit(2);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(scrub_and_look(), testing::ExitedWithCode(0), "");
}

TEST(Environment, KnowsTheFolderOfTheProgram) {
  std::error_code error;
  const fs::path program = fs::canonical("/proc/self/exe", error);
  ASSERT_FALSE(error);
  EXPECT_EQ(program_folder(), program.parent_path());
}

TEST(Runtime, StandsBesideThePrograms) {
  EXPECT_EQ(runtime_folder(), fs::path(GATE_BINARY_DIR) / "runtime");
  EXPECT_TRUE(fs::exists(runtime_folder() / "gate/base/result.h"));
}

class CacheFolder : public testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::create("cache-test");
  Variable chosen_{"GATE_CACHE", nullptr};
  Variable xdg_{"XDG_CACHE_HOME", nullptr};
  Variable home_{"HOME", nullptr};
  Variable temporary_{"TMPDIR", folder_.path().c_str()};
};

TEST_F(CacheFolder, IsCreatedPrivateWhereAsked) {
  const fs::path wanted = folder_.path() / "a/b";
  const Variable chosen("GATE_CACHE", wanted.c_str());
  EXPECT_EQ(cache_folder(), wanted);
  EXPECT_EQ(fs::status(wanted).permissions(), fs::perms(0700));
}

TEST_F(CacheFolder, FollowsXdgThenHome) {
  const Variable home("HOME", folder_.path().c_str());
  EXPECT_EQ(cache_folder(), folder_.path() / ".cache/illusion-gate");
  {
    const Variable relative("XDG_CACHE_HOME", "relative");
    EXPECT_EQ(cache_folder(), folder_.path() / ".cache/illusion-gate");
  }
  const Variable xdg("XDG_CACHE_HOME", (folder_.path() / "xdg").c_str());
  EXPECT_EQ(cache_folder(), folder_.path() / "xdg/illusion-gate");
}

TEST_F(CacheFolder, FallsBackFromAnUnusableChoice) {
  ASSERT_TRUE(write_file(folder_.path() / "file", ""));
  const Variable chosen("GATE_CACHE", (folder_.path() / "file").c_str());
  const fs::path private_folder = cache_folder();
  EXPECT_EQ(private_folder.parent_path(), folder_.path());
  EXPECT_EQ(fs::status(private_folder).permissions(), fs::perms(0700));
  EXPECT_EQ(cache_folder(), private_folder) << "the same one again";
}

TEST_F(CacheFolder, ClosesAFolderOthersCouldWrite) {
  const fs::path open = folder_.path() / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms(0777));
  const Variable chosen("GATE_CACHE", open.c_str());
  EXPECT_EQ(cache_folder(), open);
  EXPECT_EQ(fs::status(open).permissions(), fs::perms(0700));
}

TEST_F(CacheFolder, TrustsNoLinkInTheSharedTemporaryFolder) {
  const fs::path target = folder_.path() / "target";
  fs::create_directory(target);
  const std::string name = "illusion-gate-" + std::to_string(::geteuid());
  fs::create_directory_symlink(target, folder_.path() / name);
  const fs::path used = cache_folder();
  EXPECT_NE(used, folder_.path() / name);
  EXPECT_TRUE(fs::is_directory(used)) << "another private folder";
}

}  // namespace
}  // namespace gate
