// Flags and variables of gate-publish.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "gate/base/files.h"
#include "gate/publish/options.h"
#include "gate/publish/publish.h"

namespace gate {
namespace {

Result<PublishOptions> parsed(const std::vector<std::string>& arguments,
                              const std::map<std::string, std::string>& variables = {}) {
  return parse_publish_options(arguments, [&](const std::string& name) {
    const auto at = variables.find(name);
    return at == variables.end() ? std::string() : at->second;
  });
}

TEST(PublishOptions, ComeFromTheRunnersVariables) {
  const auto options = parsed({"comment"}, {{"GITHUB_REPOSITORY", "octo/kernels"},
                                            {"GITHUB_API_URL", "https://ghe.test/api/v3"},
                                            {"GITHUB_TOKEN", "secret"},
                                            {"GITHUB_RUN_ID", "7"}});
  ASSERT_TRUE(static_cast<bool>(options));
  EXPECT_EQ(options->repository, "octo/kernels");
  EXPECT_EQ(options->api_url, "https://ghe.test/api/v3");
  EXPECT_EQ(options->token, "secret");
  EXPECT_EQ(options->run_id, "7");
  EXPECT_EQ(options->comment_policy, CommentPolicy::changes);
}

TEST(PublishOptions, FlagsWin) {
  const auto options =
      parsed({"summary", "comment", "--repository", "a/b", "--comment", "failures"},
             {{"GITHUB_REPOSITORY", "octo/kernels"}});
  ASSERT_TRUE(static_cast<bool>(options));
  EXPECT_EQ(options->repository, "a/b");
  EXPECT_EQ(options->modes, (std::vector<std::string>{"summary", "comment"}));
  EXPECT_EQ(options->comment_policy, CommentPolicy::failures);
}

TEST(PublishOptions, RefuseWordsThatWouldEndUpInAddresses) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"tweet"},
                                             {"comment", "--repository", "a/b/../c"},
                                             {"comment", "--comment-id", "a-->b"},
                                             {"comment", "--comment-id", "a--b"},
                                             {"comment", "--comment", "sometimes"},
                                             {"comment", "--run-id", "7/../8"},
                                             {"comment", "--artifact", "a/b"},
                                             {"comment", "--artifact-url", "javascript:x"},
                                             {"comment", "--image", "a b"},
                                             {"seeds", "--seeds-branch", "a b"},
                                             {"comment", "--token", "x"}}) {
    EXPECT_FALSE(parsed(arguments)) << (arguments.empty() ? "" : arguments.back());
  }
  EXPECT_FALSE(parsed({"comment"}, {{"GITHUB_TOKEN", "a\r\nX-Evil: 1"}}));
}

TEST(PublishOptions, BothHelpTextsAreOne) {
  const Result<std::string> help =
      read_file(std::string(GATE_SOURCE_DIR) + "/gate/cli/help/publish.txt");
  ASSERT_TRUE(static_cast<bool>(help));
  EXPECT_EQ(*help, publish_usage());
}

}  // namespace
}  // namespace gate
