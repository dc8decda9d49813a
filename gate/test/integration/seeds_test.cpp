// Seeds and expectations: written, replayed, known, fixed, and what [expect] skips or turns red.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/gate_program.h"

namespace gate {
namespace {

class GateSeeds : public GateProgram {
 protected:
  /// Runs the faulty kernel and gives the one seed file it writes.
  std::filesystem::path found_seed() const {
    put_kernel("tail", tail_source);
    EXPECT_EQ(run({"--seeds-out", path("out"), "--json", path("r.json")}).exit_code, 1);
    const auto files = find_files(path("out"), ".toml");
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? std::filesystem::path() : files.front();
  }

  /// The seed committed with another status.
  void commit(const std::filesystem::path& seed, const std::string& status) const {
    std::string text = *read_file(seed);
    const std::string open = "is = \"open\"";
    const std::size_t at = text.find(open);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, open.size(), status);
    put("seeds/relu/" + seed.filename().string(), text);
  }

  ProcessResult replay(const std::string& what) const {
    return gate({"replay", what, "--root", root()});
  }

  /// JSON of a test by the end of its name.
  nlohmann::ordered_json test_named(const std::string& ending) const {
    const auto report = json("r.json");  // lives as long as the loop over a part of it
    for (const auto& test : report["rows"][0]["tests"]) {
      if (test["name"].get<std::string>().find(ending) != std::string::npos) return test;
    }
    ADD_FAILURE() << "no test " << ending;
    return {};
  }
};

TEST_F(GateSeeds, a_seed_is_small_and_replays_from_file_token_and_comment) {
  const std::filesystem::path seed = found_seed();
  const auto finding = json("r.json")["rows"][0]["findings"][0];
  EXPECT_NE(finding["case"].get<std::string>().find("rows=1"), std::string::npos);
  EXPECT_EQ(replay(seed).exit_code, 1) << replay(seed).output;
  EXPECT_EQ(replay(finding["token"]).exit_code, 1);
  put("comment.md", "The gate says:\n\n    gate replay " + finding["token"].get<std::string>() +
                        "\n\nplease look\n");
  EXPECT_EQ(replay(path("comment.md")).exit_code, 1);
}

TEST_F(GateSeeds, replay_tells_fixed_missing_changed_and_absent_apart) {
  const std::filesystem::path seed = found_seed();
  put_kernel("tail", good_source);
  EXPECT_EQ(replay(seed).exit_code, 0);
  EXPECT_EQ(gate({"replay", seed, "--root", root(), "--device", "python"}).exit_code, 3);
  std::string text = *read_file(seed);
  const std::size_t digest = text.find("input = \"");
  ASSERT_NE(digest, std::string::npos);
  text.replace(digest + 9, 8, "00000000");
  put("changed.toml", text);
  EXPECT_EQ(replay(path("changed.toml")).exit_code, 4);
  std::filesystem::remove(path("ops/relu/kernels/tail.toml"));
  EXPECT_EQ(replay(seed).exit_code, 2);
}

TEST_F(GateSeeds, an_open_seed_is_red_until_it_passes) {
  const std::filesystem::path seed = found_seed();
  commit(seed, "is = \"open\"");
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 1);
  EXPECT_EQ(test_named("/seed/")["kind"], "wrong");
  put_kernel("tail", good_source);
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 0);
  EXPECT_EQ(test_named("/seed/")["kind"], "pass");
}

TEST_F(GateSeeds, a_known_seed_is_skipped_until_it_expires) {
  const std::filesystem::path seed = found_seed();
  const std::string known = "is = \"known\"\nreason = \"r\"\nowner = \"o\"\nexpires = ";
  commit(seed, known + "\"2999-01-01\"");
  const ProcessResult ran = run({"--json", path("r.json")});
  EXPECT_EQ(ran.exit_code, 0) << ran.output << ran.errors;
  EXPECT_EQ(test_named("/seed/")["skipped"], true);
  EXPECT_EQ(json("r.json")["rows"][0]["findings"][0]["novelty"], "known");
  commit(seed, known + "\"2001-01-01\"");
  EXPECT_EQ(run({}).exit_code, 1);
}

TEST_F(GateSeeds, a_fixed_seed_that_fails_has_regressed) {
  commit(found_seed(), "is = \"fixed\"");
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 1);
  EXPECT_EQ(json("r.json")["rows"][0]["findings"][0]["novelty"], "regressed");
}

TEST_F(GateSeeds, an_expectation_that_holds_is_green_and_its_findings_are_skipped) {
  put_kernel("tail", tail_source,
             "[expect]\nclass = \"illusion\"\nkind = \"wrong\"\nbug = \"b\"\n");
  const ProcessResult ran = run({"--json", path("r.json")});
  EXPECT_EQ(ran.exit_code, 0) << ran.output << ran.errors;
  EXPECT_EQ(json("r.json")["rows"][0]["expected"], "illusion");
  EXPECT_EQ(test_named("/boundary")["skipped"], true);
  EXPECT_EQ(test_named("/expectation")["kind"], "pass");
  EXPECT_EQ(run({"--ignore-expect"}).exit_code, 1);
}

TEST_F(GateSeeds, an_expectation_turns_red_in_either_direction) {
  const std::string illusion = "[expect]\nclass = \"illusion\"\nbug = \"b\"\n";
  put_kernel("k", good_source, illusion);
  EXPECT_EQ(run({}).exit_code, 1);
  put_kernel("k", tail_source, "[expect]\nclass = \"clean\"\n");
  EXPECT_EQ(run({}).exit_code, 1);
  put_kernel("k", tail_source, "[expect]\nclass = \"illusion\"\nkind = \"crash\"\nbug = \"b\"\n");
  EXPECT_EQ(run({}).exit_code, 1);
  put_kernel("k", tail_source, "[expect]\nclass = \"defect\"\nbug = \"b\"\n");
  EXPECT_EQ(run({}).exit_code, 1);
}

TEST_F(GateSeeds, an_expectation_needs_its_whole_plan) {
  put_kernel("tail", tail_source, "[expect]\nclass = \"illusion\"\nbug = \"b\"\n");
  EXPECT_EQ(run({"--gtest_filter=*boundary:*expectation", "--json", path("r.json")}).exit_code, 0);
  EXPECT_EQ(json("r.json")["run"]["left_out"][0], "relu/tail.f32/expectation");
  EXPECT_EQ(run({"--cases", "4", "--json", path("r.json")}).exit_code, 0);
  EXPECT_EQ(json("r.json")["run"]["left_out"].size(), 1u);
  EXPECT_EQ(run({"--gtest_filter=*expectation", "--json", path("r.json")}).exit_code, 0);
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["tests"].size(), 1u);
  EXPECT_EQ(row["cases"], 16);
}

TEST_F(GateSeeds, one_case_runs_alone) {
  found_seed();
  const std::string text = json("r.json")["rows"][0]["findings"][0]["case"];
  EXPECT_EQ(run({"--case", text, "--json", path("r.json")}).exit_code, 1);
  EXPECT_EQ(json("r.json")["rows"][0]["cases"], 1);
  put_kernel("tail", good_source);
  EXPECT_EQ(run({"--case", text}).exit_code, 0);
}

}  // namespace
}  // namespace gate
