// gate seeds: from a run into a folder that waits, into the committed ones, and out again.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/policy_repository.h"

namespace gate {
namespace {

class SeedsVerb : public PolicyRepository {
 protected:
  void SetUp() override {
    PolicyRepository::SetUp();
    put("ops/relu/kernels/good.cpp", tail_source);
    EXPECT_EQ(run({"--seeds-out", path("out/seeds")}).exit_code, 1);
  }

  ProcessResult seeds(std::vector<std::string> words) const {
    words.insert(words.begin(), "seeds");
    words.insert(words.end(), {"--root", root()});
    return gate(words);
  }
  std::size_t committed() const { return find_files(path("seeds"), ".toml").size(); }
};

TEST_F(SeedsVerb, add_stages_and_accept_commits_once) {
  EXPECT_EQ(seeds({"add", path("out/seeds"), "--to", path("out/staged")}).exit_code, 0);
  EXPECT_EQ(find_files(path("out/staged"), ".toml").size(), 1u);
  EXPECT_EQ(committed(), 0u);
  EXPECT_EQ(seeds({"accept", path("out/staged")}).exit_code, 0);
  EXPECT_EQ(committed(), 1u);
  const ProcessResult again = seeds({"add", path("out/seeds"), "--to", path("out/staged")});
  EXPECT_NE(again.output.find("committed already (open)"), std::string::npos) << again.output;
  EXPECT_EQ(seeds({"accept", path("out/staged"), "--status", "fixed"}).exit_code, 0);
  EXPECT_EQ(committed(), 1u);
  EXPECT_NE(seeds({"list"}).output.find("fixed  wrong"), std::string::npos);
}

TEST_F(SeedsVerb, a_token_is_accepted_as_its_file_is) {
  const std::string file = find_files(path("out/seeds"), ".toml").at(0).string();
  const ProcessResult ran = run({"--json", path("out/r.json")});
  const std::string text = ran.output;
  const std::size_t begin = text.find("ig1:");
  ASSERT_NE(begin, std::string::npos);
  const std::string token = text.substr(begin, text.find_first_of(" \n", begin) - begin);
  EXPECT_EQ(seeds({"accept", token}).exit_code, 0);
  EXPECT_EQ(seeds({"accept", file}).exit_code, 0);
  EXPECT_EQ(committed(), 1u);
}

TEST_F(SeedsVerb, mistakes_are_2) {
  const std::string source = path("out/seeds");
  EXPECT_EQ(seeds({}).exit_code, 2);
  EXPECT_EQ(seeds({"accept"}).exit_code, 2);
  EXPECT_EQ(seeds({"accept", source, "--status", "known"}).exit_code, 2);
  EXPECT_EQ(seeds({"accept", source, "--status", "ok"}).exit_code, 2);
  EXPECT_EQ(seeds({"accept", source, "--reason", "r"}).exit_code, 2);
  EXPECT_EQ(seeds({"accept", source, "--status", "known", "--reason", "r", "--owner", "o",
                   "--expires", "soon"})
                .exit_code,
            2);
  EXPECT_EQ(seeds({"add", "ig1:AAAA"}).exit_code, 2);
  EXPECT_EQ(seeds({"diff"}).exit_code, 2);
  EXPECT_EQ(committed(), 0u);
}

TEST_F(SeedsVerb, prune_says_and_writes_only_when_told) {
  seeds({"accept", path("out/seeds"), "--status", "known", "--reason", "r", "--owner", "o",
         "--expires", "2030-01-01"});
  EXPECT_NE(seeds({"prune", "--today", "2029-01-01"}).output.find("0 of 1 seeds"),
            std::string::npos);
  const ProcessResult said = seeds({"prune", "--today", "2031-01-01"});
  EXPECT_NE(said.output.find("it becomes open"), std::string::npos) << said.output;
  EXPECT_NE(seeds({"list"}).output.find("known  wrong"), std::string::npos);
  seeds({"prune", "--today", "2031-01-01", "--write"});
  EXPECT_NE(seeds({"list"}).output.find("open   wrong"), std::string::npos);
  remove("ops/relu/kernels/good.toml");
  const ProcessResult gone = seeds({"prune", "--write"});
  EXPECT_NE(gone.output.find("there is no kernel relu/good"), std::string::npos) << gone.output;
  EXPECT_EQ(committed(), 0u);
}

TEST_F(SeedsVerb, diff_names_what_changed) {
  EXPECT_NE(seeds({"diff", "HEAD"}).output.find("0 differences"), std::string::npos);
  seeds({"accept", path("out/seeds")});
  EXPECT_NE(seeds({"diff", "HEAD"}).output.find("added    relu/good"), std::string::npos);
  commit("with a seed");
  seeds({"accept", path("out/seeds"), "--status", "fixed"});
  EXPECT_NE(seeds({"diff", "HEAD"}).output.find("open -> fixed"), std::string::npos);
  EXPECT_NE(seeds({"diff", "HEAD", "HEAD~1"}).output.find("deleted  relu/good"), std::string::npos);
  EXPECT_EQ(seeds({"diff", "nowhere"}).exit_code, 3);
}

}  // namespace
}  // namespace gate
