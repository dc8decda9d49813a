// What gate-publish asks of GitHub, and what it must not ask: runs of the repository itself.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/publish_fixture.h"

namespace gate {
namespace {

class Publish : public PublishFixture {};

TEST_F(Publish, CreatesTheComment) {
  EXPECT_EQ(run({"comment"}), 0) << err_;
  const std::string text = text_at(body("POST", "/issues/3/comments"), "/body");
  EXPECT_TRUE(text.starts_with("<!-- illusion-gate:v1:default -->\n"));
  EXPECT_NE(text.find("ig1:"), std::string::npos);
  EXPECT_EQ(*read_file(file("output")), "comment-url=https://github.test/c/9\n");
}

TEST_F(Publish, UpdatesItsNewestCommentAndNoOther) {
  const std::string marker = "<!-- illusion-gate:v1:default -->\nold";
  github_.comments = "[" + comment(1, "github-actions[bot]", marker) + "," +
                     comment(2, "github-actions[bot]", marker) + "," +
                     comment(3, "mallory", marker) + "," +
                     comment(4, "github-actions[bot]", "x " + marker) + "," +
                     comment(5, "github-actions[bot]", "<!-- illusion-gate:v1:other -->") + "]";
  EXPECT_EQ(run({"comment"}), 0) << err_;
  EXPECT_EQ(count("PATCH", "/issues/comments/2"), 1u);
  EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
}

TEST_F(Publish, GreenWithoutAnEarlierCommentSaysNothing) {
  write("results.json", to_json(green_report()));
  EXPECT_EQ(run({"comment"}), 0);
  EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
}

TEST_F(Publish, GreenUpdatesAnEarlierComment) {
  write("results.json", to_json(green_report()));
  github_.comments =
      "[" + comment(1, "github-actions[bot]", "<!-- illusion-gate:v1:default -->\nred") + "]";
  EXPECT_EQ(run({"comment"}), 0);
  EXPECT_EQ(count("PATCH", "/issues/comments/1"), 1u);
}

TEST_F(Publish, AMovedHeadIsLeftToItsOwnRun) {
  github_.pull_head = std::string(40, 'd');
  EXPECT_EQ(run({"comment"}), 0);
  EXPECT_EQ(count("POST", "/issues/3/comments"), 0u);
  EXPECT_NE(out_.find("moved"), std::string::npos);
}

TEST_F(Publish, AReadOnlyTokenIsNamedAndTheSummaryStillWritten) {
  github_.comment_status = 403;
  EXPECT_EQ(run({"comment", "summary"}), 3);
  EXPECT_NE(err_.find("pull-requests: write"), std::string::npos);
  EXPECT_EQ(count("POST", "/issues/3/comments"), 2u);
  EXPECT_NE(read_file(file("summary.md"))->find("## "), std::string::npos);
}

TEST_F(Publish, TheSummaryNeedsNoNetwork) {
  options_.token.clear();
  EXPECT_EQ(run({"summary"}), 0) << err_;
  EXPECT_TRUE(server_->seen().empty());
}

TEST_F(Publish, TheSummaryStopsBelowTheLimitOfTheStep) {
  write("summary.md", std::string(1'000'000, 'x'));
  EXPECT_EQ(run({"summary"}), 0) << err_;
  EXPECT_LT(read_file(file("summary.md"))->size(), 1u << 20);
}

TEST_F(Publish, StatusIsOneLine) {
  EXPECT_EQ(run({"status"}), 0) << err_;
  const OrderedJson status = body("POST", "/statuses/" + head);
  EXPECT_EQ(text_at(status, "/state"), "failure");
  EXPECT_LE(text_at(status, "/description").size(), 140u);
}

TEST_F(Publish, CheckRunsCarryFiftyAnnotationsARequest) {
  Report report = red_report();
  for (int i = 0; i < 118; ++i) {
    TestRow test = report.rows[0].tests[0];
    test.name = "f16/more" + std::to_string(i);
    test.kind = Kind::wrong;
    report.rows[0].tests.push_back(test);
  }
  write("results.json", to_json(report));
  github_.answers["POST " + repository + "/check-runs"] = "{\"id\": 8}";
  EXPECT_EQ(run({"check-run"}), 0) << err_;
  EXPECT_EQ(body("POST", "/check-runs")["output"]["annotations"].size(), 50u);
  EXPECT_EQ(count("PATCH", "/check-runs/8"), 2u);
  EXPECT_EQ(text_at(body("POST", "/check-runs"), "/conclusion"), "failure");
  EXPECT_EQ(text_at(body("POST", "/check-runs"), "/output/annotations/0/path"),
            "testcases/softmax/kernels/softmax_tiled.cu");
  EXPECT_EQ(integer_at(body("POST", "/check-runs"), "/output/annotations/0/start_line"), 17);
}

TEST_F(Publish, SarifIsUploadedAndWaitedFor) {
  github_.answers["POST " + repository + "/code-scanning/sarifs"] = "{\"id\": \"47-a\"}";
  github_.answers["GET " + repository + "/code-scanning/sarifs/47-a"] =
      "{\"processing_status\": \"failed\", \"errors\": [\"bad\"]}";
  EXPECT_EQ(run({"sarif"}), 3);
  EXPECT_NE(err_.find("bad"), std::string::npos);
  EXPECT_EQ(text_at(body("POST", "/code-scanning/sarifs"), "/ref"), "refs/pull/3/head");
}

TEST_F(Publish, SeedsBecomeAnOrphanBranch) {
  use_event("schedule", OrderedJson::object());
  options_.sha = head;
  options_.seeds_branch = "gate/seeds";
  github_.answers["GET " + repository + "/git/ref/heads/gate/seeds"] = "{}";
  github_.answers["POST " + repository + "/git/trees"] = "{\"sha\": \"t\"}";
  github_.answers["POST " + repository + "/git/commits"] = "{\"sha\": \"" + head + "\"}";
  EXPECT_EQ(run({"seeds"}), 3);  // a branch that names no commit is not believed
  github_.answers["GET " + repository + "/git/ref/heads/gate/seeds"] =
      "{\"object\": {\"sha\": \"" + head + "\"}}";
  github_.answers["GET " + repository + "/git/commits/" + head] = "{\"tree\": {\"sha\": \"u\"}}";
  EXPECT_EQ(run({"seeds"}), 0) << err_;
  EXPECT_EQ(text_at(body("POST", "/git/trees"), "/base_tree"), "u");
  EXPECT_TRUE(text_at(body("POST", "/git/trees"), "/tree/0/path").starts_with("seeds/softmax/"));
  EXPECT_EQ(body("PATCH", "/git/refs/heads/gate/seeds")["force"], false);
}

TEST_F(Publish, SeedsAreNeverPushedFromPullRequests) {
  options_.seeds_branch = "seeds";
  EXPECT_EQ(run({"seeds"}), 3);
  EXPECT_TRUE(server_->seen().empty());
}

TEST_F(Publish, EventsWithoutAPullRequestGetNoComment) {
  use_event("merge_group",
            {{"merge_group", {{"head_sha", head}, {"head_ref", "refs/heads/queue/x"}}}});
  EXPECT_EQ(run({"comment", "status"}), 0) << err_;
  EXPECT_EQ(count("POST", "/statuses/" + head), 1u);
  EXPECT_EQ(server_->seen().size(), 1u);
}

TEST_F(Publish, PullRequestTargetIsRefused) {
  use_event("pull_request_target", OrderedJson::object());
  EXPECT_EQ(run({"comment"}), 3);
  EXPECT_TRUE(server_->seen().empty());
}

}  // namespace
}  // namespace gate
