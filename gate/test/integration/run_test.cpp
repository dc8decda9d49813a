// gate run, from outside: exit codes, classes, what a report says, what cannot be talked away.
// SPDX-License-Identifier: Apache-2.0
#include <pugixml.hpp>

#include "gate/test/integration/gate_program.h"

namespace gate {
namespace {

class GateRun : public GateProgram {};

TEST_F(GateRun, a_right_kernel_is_0_and_clean) {
  put_kernel("good", good_source);
  const ProcessResult ran = run({"--json", path("r.json")});
  EXPECT_EQ(ran.exit_code, 0) << ran.output << ran.errors;
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["class"], "clean");
  EXPECT_EQ(row["cases"], 16);
  EXPECT_EQ(row["expected"], nullptr);
  EXPECT_NE(ran.output.find("[       OK ] relu/good.f32/boundary"), std::string::npos);
}

TEST_F(GateRun, a_wrong_kernel_that_the_fixed_shape_passes_is_1_and_an_illusion) {
  put_kernel("tail", tail_source);
  const ProcessResult ran = run({"--json", path("r.json")});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["class"], "illusion");
  EXPECT_EQ(row["kind"], "wrong");
  EXPECT_EQ(row["findings"].size(), 1u);
  EXPECT_EQ(row["fixed_shape"]["illusion_rule_passed"], true);
  EXPECT_NE(ran.output.find("[  FAILED  ] relu/tail.f32/"), std::string::npos);
  EXPECT_NE(ran.output.find("gate replay ig1:"), std::string::npos);
}

TEST_F(GateRun, a_changed_fixed_shape_changes_the_class) {
  put_kernel("tail", tail_source);
  put_op(250);
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 1);
  EXPECT_EQ(json("r.json")["rows"][0]["class"], "defect");
}

TEST_F(GateRun, a_kernel_that_does_not_build_is_1_with_the_compilers_message) {
  put_kernel("broken", "extern \"C\" void relu_f32() { this is not C++ }\n");
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 1);
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["kind"], "build_failed");
  EXPECT_EQ(row["class"], "defect");
  EXPECT_EQ(row["findings"].size(), 1u);
}

TEST_F(GateRun, a_hanging_kernel_is_a_timeout_and_the_run_goes_on) {
  put_kernel("good", good_source);
  put_kernel("hang", hanging_source);
  EXPECT_EQ(run({"--json", path("r.json")}).exit_code, 1);
  const auto report = json("r.json");
  EXPECT_EQ(report["rows"][0]["class"], "clean");
  EXPECT_EQ(report["rows"][1]["kind"], "timeout");
}

TEST_F(GateRun, one_run_seed_gives_one_report_but_for_times) {
  put_kernel("good", good_source);
  put_kernel("tail", tail_source);
  put_kernel("hang", hanging_source);
  run({"--json", path("a.json"), "--jobs", "1"});
  run({"--json", path("b.json"), "--jobs", "3"});
  auto first = json("a.json"), second = json("b.json");
  first.erase("times");
  second.erase("times");
  EXPECT_EQ(first.dump(1), second.dump(1));
}

TEST_F(GateRun, another_run_seed_draws_other_cases) {
  put_kernel("good", good_source);
  const auto first =
      gate({"run", root(), "--device", "host", "--run-seed", "1", "--json", path("a.json")});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(json("a.json")["run"]["run_seed"], "0x0000000000000001");
}

TEST_F(GateRun, the_environment_cannot_turn_red_into_green) {
  put_kernel("tail", tail_source);
  const std::vector<Environment> attempts = {
      {{"GTEST_FILTER", "nothing"}},
      {{"GTEST_FILTER", "-*"}},
      {{"GTEST_REPEAT", "0"}},
      {{"RC_PARAMS", "max_success=0"}},
      {{"GTEST_FAIL_FAST", "1"}, {"GTEST_SHUFFLE", "1"}},
      {{"TESTBRIDGE_TEST_ONLY", "nothing"}},
      {{"GTEST_LIST_TESTS", "1"}},
  };
  for (const Environment& variables : attempts) {
    const ProcessResult ran = run({"--json", path("r.json")}, variables);
    EXPECT_EQ(ran.exit_code, 1) << variables[0].first << "\n" << ran.output;
    EXPECT_EQ(json("r.json")["rows"][0]["cases"], 16) << variables[0].first;
  }
}

TEST_F(GateRun, a_filter_that_matches_nothing_is_4) {
  put_kernel("good", good_source);
  EXPECT_EQ(run({"--gtest_filter=nothing"}).exit_code, 4);
  EXPECT_EQ(run({"--gtest_filter=-*"}).exit_code, 4);
  EXPECT_EQ(run({"--corpus", "nosuch"}).exit_code, 4);
}

TEST_F(GateRun, a_filter_selects_tests_and_only_their_entries) {
  put_kernel("good", good_source);
  const ProcessResult ran =
      run({"--gtest_filter=*/boundary:*fixed_shape", "--json", path("r.json")});
  EXPECT_EQ(ran.exit_code, 0);
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["tests"].size(), 2u);
  EXPECT_EQ(row["strategies"].size(), 1u);
  EXPECT_EQ(row["strategies"]["boundary"], row["cases"]);
}

TEST_F(GateRun, listed_tests_are_the_ones_that_run) {
  put_kernel("good", good_source);
  const ProcessResult listed = run({"--gtest_list_tests", "--gtest_filter=-*special"});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_EQ(listed.output.find("special"), std::string::npos);
  EXPECT_TRUE(listed.output.starts_with("relu/good.\n  f32/")) << listed.output;
  run({"--json", path("r.json"), "--gtest_filter=-*special"});
  const auto report = json("r.json");
  EXPECT_FALSE(report["rows"][0]["tests"].empty());
  for (const auto& test : report["rows"][0]["tests"]) {
    const std::string line = "  " + test["name"].get<std::string>() + "\n";
    EXPECT_NE(listed.output.find(line), std::string::npos) << line;
  }
}

TEST_F(GateRun, no_time_left_is_4_and_nothing_is_green) {
  put_kernel("good", good_source);
  EXPECT_EQ(run({"--time-limit", "0", "--json", path("r.json")}).exit_code, 4);
  const auto row = json("r.json")["rows"][0];
  EXPECT_EQ(row["class"], "unchecked");
  EXPECT_EQ(row["cases"], 0);
  for (const auto& test : row["tests"]) EXPECT_EQ(test["kind"], "not_checked");
}

TEST_F(GateRun, an_absent_device_is_3_and_says_so_in_every_report) {
  put_kernel("good", good_source);
  const ProcessResult doctor = gate({"doctor", "--device", "cuda"});
  if (doctor.exit_code == 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(doctor.exit_code, 3);
  const ProcessResult ran =
      gate({"run", root(), "--device", "cuda", "--json", path("r.json"), "--junit", path("r.xml")});
  EXPECT_EQ(ran.exit_code, 3) << ran.output;
  EXPECT_NE(json("r.json")["run"]["environment_problem"], nullptr);
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(path("r.xml").c_str()));
  EXPECT_EQ(junit.child("testsuites").attribute("errors").as_int(), 1);
}

TEST_F(GateRun, mistakes_of_the_user_are_2_with_a_hint) {
  put_kernel("good", good_source);
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"rendr"}, "did you mean \"gate render\""},
      {{"run", root(), "--devce", "host"}, "did you mean --device"},
      {{"run", root(), "--device", "hst"}, "did you mean host"},
      {{"run", root(), "--cases", "0"}, "at least 1"},
      {{"run", root(), "--shard", "3/3"}, "I from 0"},
      {{"run", root(), "--run-seed", "xyz"}, "hexadecimal"},
      {{"run", root(), "--case", "nonsense"}, "error"},
      {{"run", root() + "/nowhere"}, "error"},
      {{"render", root() + "/gate.toml"}, "not valid JSON"},
      {{"replay", "ig1:AAAA"}, "token"},
      {{}, "Verbs"},
  };
  for (const auto& [arguments, text] : mistakes) {
    const ProcessResult ran = gate(arguments);
    EXPECT_EQ(ran.exit_code, 2) << text << ran.output << ran.errors;
    EXPECT_NE(ran.errors.find(text), std::string::npos) << ran.errors;
  }
  put("ops/relu/kernels/good.toml", "[kernel]\nopp = \"relu\"\n");
  EXPECT_EQ(run({}).exit_code, 2);
}

TEST_F(GateRun, a_missing_tolerance_row_is_2_and_init_writes_it) {
  put_kernel("good", good_source);
  std::filesystem::remove(path("tolerances/relu.toml"));
  const ProcessResult ran = run({});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.errors.find("tolerances init"), std::string::npos) << ran.errors;
  EXPECT_EQ(gate({"tolerances", "init", root()}).exit_code, 0);
  EXPECT_EQ(run({}).exit_code, 0);
}

TEST_F(GateRun, every_verb_has_a_help_text) {
  const ProcessResult overview = gate({"--help"});
  EXPECT_EQ(overview.exit_code, 0);
  for (const std::string verb :
       {"run", "replay", "list", "schema", "seeds", "tolerances", "merge", "render", "doctor"}) {
    EXPECT_NE(overview.output.find("  " + verb), std::string::npos) << verb;
    const ProcessResult help = gate({verb, "--help"});
    EXPECT_EQ(help.exit_code, 0) << verb;
    EXPECT_TRUE(help.output.starts_with("gate " + verb)) << verb;
  }
}

}  // namespace
}  // namespace gate
