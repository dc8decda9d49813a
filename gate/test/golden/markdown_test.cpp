// Comment, step summary and SARIF of fixed reports, byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/markdown.h"

#include "gate/report/sarif.h"
#include "gate/report/token.h"
#include "gate/test/golden/golden_file.h"
#include "gate/test/golden/sample_report.h"

namespace gate {
namespace {

MarkdownFacts facts() {
  MarkdownFacts facts;
  facts.head_sha = std::string(40, 'c');
  facts.attempt = "1";
  facts.run_url = "https://github.com/octo/kernels/actions/runs/7";
  facts.artifact_url = facts.run_url + "/artifacts/9";
  facts.source_url = "https://github.com/octo/kernels/blob/" + facts.head_sha;
  facts.image = "gate@sha256:" + std::string(64, 'd');
  return facts;
}

TEST(MarkdownGolden, CommentOfARedRun) {
  expect_golden("comment_red.md", to_comment(red_report(), facts()));
}

TEST(MarkdownGolden, CommentOfAGreenRun) {
  expect_golden("comment_green.md", to_comment(green_report(), facts()));
}

TEST(MarkdownGolden, CommentOfAHostileRun) {
  MarkdownFacts untrusted = facts();
  untrusted.untrusted = true;
  expect_golden("comment_hostile.md", to_comment(hostile_report(), untrusted));
}

TEST(MarkdownGolden, Sarif) { expect_golden("red.sarif", to_sarif(red_report())); }

TEST(MarkdownGolden, SarifOfAHostileRun) {
  expect_golden("hostile.sarif", to_sarif(hostile_report()));
}

/// Also the input of gate/test/action/github_contract_test.sh.
TEST(MarkdownGolden, Json) {
  expect_golden("red.json", to_json(red_report()));
  expect_golden("green.json", to_json(green_report()));
}

TEST(MarkdownGolden, TheCommentReplays) {
  const Result<Seed> seed = find_seed(to_comment(red_report(), facts()), "comment.md");
  ASSERT_TRUE(static_cast<bool>(seed));
  EXPECT_EQ(seed->test_case, red_report().rows[1].findings[0].seed.test_case);
}

}  // namespace
}  // namespace gate
