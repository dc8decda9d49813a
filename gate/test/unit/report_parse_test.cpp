// Reading reports back: identity for what we wrote, problems for everything else.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "gate/report/token.h"
#include "gate/spec/read.h"
#include "gate/test/golden/situations.h"

namespace gate {
namespace {

using namespace situations;  // NOLINT: the sample of this test

using Json = nlohmann::ordered_json;

std::string changed(const std::function<void(Json&)>& change) {
  Json json = Json::parse(to_json(sample_report()));
  change(json);
  return json.dump();
}

TEST(ParseReport, what_was_written_reads_back_the_same) {
  const std::string text = to_json(sample_report());
  for (const bool untrusted : {false, true}) {
    const Result<Report> report = parse_report(text, untrusted);
    ASSERT_TRUE(report) << to_text(report.failure());
    EXPECT_EQ(to_json(*report), text);
    EXPECT_EQ(exit_code(*report), exit_code(sample_report()));
  }
}

TEST(ParseReport, numbers_that_json_lacks_read_back) {
  Report sample = sample_report();
  sample.rows[0].largest_ratio = std::numeric_limits<double>::infinity();
  const Result<Report> report = parse_report(to_json(sample), false);
  ASSERT_TRUE(report) << to_text(report.failure());
  EXPECT_EQ(report->rows[0].largest_ratio, sample.rows[0].largest_ratio);
}

TEST(ParseReport, every_missing_key_is_a_problem) {
  const Json whole = Json::parse(to_json(sample_report()));
  for (const auto& [key, value] : whole.items()) {
    EXPECT_FALSE(parse_report(changed([&](Json& json) { json.erase(key); }), false)) << key;
  }
  for (const auto& [key, value] : whole["rows"][1].items()) {
    const auto remove = [&](Json& json) { json["rows"][1].erase(key); };
    EXPECT_FALSE(parse_report(changed(remove), false)) << key;
  }
}

TEST(ParseReport, unknown_keys_and_wrong_types_are_problems) {
  const std::vector<std::function<void(Json&)>> changes = {
      [](Json& json) { json["more"] = 1; },
      [](Json& json) { json["version"] = 2; },
      [](Json& json) { json["rows"][0]["more"] = 1; },
      [](Json& json) { json["rows"][0]["cases"] = "24"; },
      [](Json& json) { json["rows"][0]["cases"] = 1.5; },
      [](Json& json) { json["rows"][0]["class"] = "fine"; },
      [](Json& json) { json["rows"][0]["tests"][0]["kind"] = "green"; },
      [](Json& json) { json["rows"][0]["tests"] = 3; },
      [](Json& json) { json["rows"] = Json::object(); },
      [](Json& json) { json["times"]["rows"].erase(0); },
      [](Json& json) { json["rows"][0]["kernel"] = "../../etc"; },
      [](Json& json) { json["rows"][0]["op"] = ".hidden"; },
      [](Json& json) { json["rows"][1]["findings"][0]["case"] = "nonsense"; },
      [](Json& json) { json["rows"][1]["findings"][0]["fingerprint"] = std::string(32, '0'); },
      [](Json& json) { json["rows"][1]["findings"][0]["seed"] = "x = 1"; },
      [](Json& json) { json["rows"][1]["kernel"] = "another"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_FALSE(parse_report(changed(changes[i]), false)) << "change " << i;
  }
}

TEST(ParseReport, the_exit_code_in_the_file_is_not_believed) {
  const std::string text = changed([](Json& json) { json["run"]["exit_code"] = 0; });
  const Result<Report> report = parse_report(text, true);
  ASSERT_TRUE(report);
  EXPECT_EQ(exit_code(*report), 1);
}

TEST(ParseReport, floods_are_refused) {
  EXPECT_FALSE(parse_report(std::string(100'000, '[') + std::string(100'000, ']'), true));
  EXPECT_FALSE(parse_report(std::string(40u << 20, ' '), true));
  const auto long_text = [](Json& json) {
    json["rows"][0]["tests"][0]["body"] = std::string(1u << 20, 'a');
  };
  EXPECT_FALSE(parse_report(changed(long_text), true));
}

TEST(ParseReport, many_problems_stay_few_lines) {
  const auto spoil = [](Json& json) {
    for (int i = 0; i < 500; ++i) json["more" + std::to_string(i)] = i;
  };
  const Result<Report> report = parse_report(changed(spoil), false);
  ASSERT_FALSE(report);
  EXPECT_LE(report.failure().problems.size(), 20u);
}

TEST(Token, reads_back_the_seed) {
  const Seed seed = sample_finding().seed;
  const Result<Seed> back = parse_token(to_token(seed));
  ASSERT_TRUE(back) << to_text(back.failure());
  EXPECT_EQ(to_toml(*back), to_toml(seed));
}

TEST(Token, damage_is_a_failure_not_a_crash) {
  const std::string token = to_token(sample_finding().seed);
  for (std::size_t length = 0; length < token.size(); length += 7) {
    EXPECT_FALSE(parse_token(token.substr(0, length))) << length;
  }
  for (std::size_t i = 4; i < token.size(); i += 11) {
    std::string damaged = token;
    damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
    const Result<Seed> seed = parse_token(damaged);
    if (seed) {
      EXPECT_EQ(to_toml(*seed), to_toml(sample_finding().seed)) << i;
    }
  }
}

TEST(Token, is_found_in_a_saved_comment) {
  const Seed seed = sample_finding().seed;
  const std::string token = "Replay:\n`gate replay " + to_token(seed) + "`\nmore";
  const std::string block = "text\n```toml\n" + to_toml(seed) + "```\nmore";
  for (const std::string& comment : {token, block, to_toml(seed)}) {
    const Result<Seed> found = find_seed(comment, "comment.md");
    ASSERT_TRUE(found) << to_text(found.failure());
    EXPECT_EQ(to_toml(*found), to_toml(seed));
  }
  EXPECT_FALSE(find_seed("nothing here", "comment.md"));
}

}  // namespace
}  // namespace gate
