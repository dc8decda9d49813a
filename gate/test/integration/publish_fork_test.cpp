// Results of forks: found by the API, read under caps, shown as text and as nothing else.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/publish_fixture.h"

namespace gate {
namespace {

class PublishFork : public PublishFixture {};

TEST_F(PublishFork, AForksRunIsPublishedFromItsArtifact) {
  use_fork_run();
  EXPECT_EQ(run({"comment"}), 0) << err_;
  const std::string text = text_at(body("POST", "/issues/3/comments"), "/body");
  EXPECT_NE(text.find("From a fork's run"), std::string::npos);
  for (const SeenRequest& request : server_->seen()) {
    if (request.path == "/blob") {
      EXPECT_EQ(request.header("Authorization"), "");
    }
    if (request.path == repository + "/pulls") {
      EXPECT_EQ(request.query, "state=open&per_page=100&head=mallory:a%20b%26state%3Dclosed");
    }
  }
}

TEST_F(PublishFork, ARunOfAnotherFileOrEventIsRefused) {
  use_fork_run();
  github_.run_path = ".github/workflows/evil.yml";
  EXPECT_EQ(run({"comment"}), 3);
  github_.run_path = ".github/workflows/illusion-gate.yml";
  github_.run_event = "push";
  EXPECT_EQ(run({"comment"}), 3);
  EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
}

TEST_F(PublishFork, ARunOfTheRepositoryItselfIsLeftAlone) {
  use_fork_run();
  github_.run_repository = "octo/kernels";
  EXPECT_EQ(run({"comment"}), 0);
  EXPECT_EQ(server_->seen().size(), 1u);
}

TEST_F(PublishFork, NoOrSeveralPullRequestsMeanSummaryOnly) {
  use_fork_run();
  const std::string one = "{\"number\": 3, \"head\": {\"sha\": \"" + head + "\"}}";
  const std::string moved =
      "[{\"number\": 3, \"head\": {\"sha\": \"" + std::string(40, 'e') + "\"}}]";
  for (const std::string& pulls : {std::string("[]"), "[" + one + "," + one + "]", moved}) {
    github_.pulls = pulls;
    EXPECT_EQ(run({"comment", "summary"}), 0) << err_;
    EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
    EXPECT_NE(out_.find("summary written"), std::string::npos);
  }
}

TEST_F(PublishFork, AForksRunSetsNoCheckStatusOrAlert) {
  use_fork_run();
  options_.seeds_branch = "seeds";
  EXPECT_EQ(run({"check-run", "status", "sarif", "seeds"}), 3);
  for (const SeenRequest& request : server_->seen()) EXPECT_EQ(request.method, "GET");
}

TEST_F(PublishFork, HostileArtifactsAreRefused) {
  use_fork_run();
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string report = to_json(red_report());
  for (const std::string& zip :
       {std::string("no zip"), write_zip({{"results.json", deep}}),
        write_zip({{"results.json", "{\"version\": 2}"}}), write_zip({{"results.json", ""}}),
        write_zip({{"results.json", report}, {"../x", "y"}}),
        write_zip({{"results.json", "/etc/passwd", false, 0120777}}),
        write_zip({{"results.json", report + std::string(50u << 20, ' ')}})}) {
    github_.zip = zip;
    EXPECT_EQ(run({"comment"}), 3);
    EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
  }
}

TEST_F(PublishFork, LogLinesNeverStartAWorkflowCommand) {
  use_fork_run();
  github_.run_path = "x\n::add-mask::secret\n::error::boom";
  EXPECT_EQ(run({"comment"}), 3);
  for (const std::string& line : split(out_ + err_, '\n')) {
    EXPECT_TRUE(line.empty() || line.starts_with("gate-publish: ")) << line;
  }
}

}  // namespace
}  // namespace gate
