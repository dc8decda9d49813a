// A change that makes policy demand less is red, whatever its kernels do; one that does not is
// judged by its kernels.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/policy_repository.h"

namespace gate {
namespace {

class GatePolicy : public PolicyRepository {};

TEST_F(GatePolicy, no_change_is_green_and_says_nothing) {
  expect_judged(0);
  EXPECT_EQ(report()["run"]["policy_notes"].size(), 0u);
}

TEST_F(GatePolicy, a_higher_tolerance_is_red) {
  replace("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  expect_loosening("loosening: tolerances/relu.toml:3: c of f32 is changed from 1 to 50");
}

TEST_F(GatePolicy, a_lower_tolerance_is_a_change_only) {
  replace("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  rebase();
  replace("tolerances/relu.toml", "c = 50", "c = 2");
  expect_judged(0, "policy change: tolerances/relu.toml:3: c of f32");
}

TEST_F(GatePolicy, another_reference_is_red_and_not_used) {
  replace("ops/relu/reference.cpp", "namespace", "// more\nnamespace");
  expect_loosening("ops/relu/reference.cpp");
}

TEST_F(GatePolicy, a_changed_or_new_expectation_is_red) {
  put_kernel("good", good_source, "[expect]\nclass = \"clean\"\n");
  put_kernel("spare", good_source, "[expect]\nclass = \"clean\"\n");
  rebase();
  put_kernel("good", good_source, "[expect]\nclass = \"illusion\"\nbug = \"b\"\n");
  expect_loosening("[expect] of f32 is changed: illusion");
}

TEST_F(GatePolicy, an_added_expectation_excuses_nothing) {
  put_kernel("good", good_source, "[expect]\nclass = \"illusion\"\nbug = \"b\"\n");
  expect_loosening("[expect] of f32 is new: illusion");
  put_kernel("good", tail_source, "[expect]\nclass = \"illusion\"\nbug = \"b\"\n");
  judge();
  EXPECT_NE(report()["run"]["counts"]["tests_failed"], 0);
}

TEST_F(GatePolicy, a_new_kernel_may_not_excuse_itself) {
  put_kernel("other", tail_source, "[expect]\nclass = \"illusion\"\nbug = \"b\"\n");
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.output.find("a new [expect]"), std::string::npos) << ran.output;
  EXPECT_NE(report()["run"]["counts"]["tests_failed"], 0);
}

TEST_F(GatePolicy, a_narrower_domain_is_red) {
  replace("ops/relu/kernels/good.toml", "[entry]", std::string(domain) + "[entry]");
  expect_loosening("ops/relu/kernels/good.toml:5: [domain] has a new constraint: cols % 4 == 0");
  replace("ops/relu/kernels/good.toml", "constraints = [\"cols % 4 == 0\"]", "alignment = 64");
  expect_loosening("alignment is changed");
}

TEST_F(GatePolicy, a_narrower_domain_has_no_effect) {
  put("ops/relu/kernels/good.cpp", tail_source);
  replace("ops/relu/kernels/good.toml", "[entry]",
          "[domain]\nconstraints = [\"cols % 128 == 0\"]\n[entry]");
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_NE(report()["run"]["counts"]["tests_failed"], 0);
}

TEST_F(GatePolicy, a_wider_domain_is_a_change_only) {
  replace("ops/relu/kernels/good.toml", "[entry]", std::string(domain) + "[entry]");
  rebase();
  replace("ops/relu/kernels/good.toml", domain, "");
  expect_judged(0, "policy change: ops/relu/kernels/good.toml");
}

TEST_F(GatePolicy, an_edited_op_is_red_where_it_demands_less) {
  const std::vector<std::pair<std::string, std::string>> edits = {
      {"max = 512", "max = 300"},
      {"[\"normal\", \"uniform01\"]", "[\"normal\"]"},
      {"nan = \"any\"", "nan = \"any\"\nfast_math = true"},
      {"\"bitwise\"", "\"within_envelope\""},
      {"cols = 256", "cols = 100"},
  };
  const std::string op = *read_file(path("ops/relu/op.toml"));
  for (const auto& [from, to] : edits) {
    put("ops/relu/op.toml", op);
    replace("ops/relu/op.toml", from, to);
    expect_loosening("loosening: ops/relu/op.toml:");
  }
}

TEST_F(GatePolicy, a_wider_op_is_a_change_only) {
  replace("ops/relu/op.toml", "max = 512", "max = 1024");
  expect_judged(0, "policy change: ops/relu/op.toml");
}

TEST_F(GatePolicy, a_deleted_kernel_or_column_is_red) {
  remove("ops/relu/kernels/spare.toml");
  expect_loosening("kernel relu/spare is deleted");
}

TEST_F(GatePolicy, a_deleted_column_is_red) {
  replace("ops/relu/op.toml", "[inputs.x]", "f64 = { x = \"f64\", y = \"f64\" }\n[inputs.x]");
  put("tolerances/relu.toml",
      "op = \"relu\"\n[f32]\nc = 1\nexact = true\n[f64]\nc = 1\nexact = true\n");
  const std::string both =
      good_source +
      "extern \"C\" void relu_f64(const double* x, double* y, long n, long) {\n"
      "  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0;\n}\n";
  put("ops/relu/kernels/good.cpp", both);
  replace("ops/relu/kernels/good.toml", "relu_f32\"", "relu_f32\"\nf64 = \"relu_f64\"");
  expect_judged(0, "new contract: ops/relu/kernels/good.toml:6: column f64 is new");
  rebase();
  replace("ops/relu/kernels/good.toml", "f64 = \"relu_f64\"\n", "");
  expect_loosening("column f64 is deleted");
}

TEST_F(GatePolicy, a_renamed_entry_is_judged_as_it_is) {
  std::string renamed = good_source;
  renamed.replace(renamed.find("relu_f32"), 8, "renamed_");
  put("ops/relu/kernels/good.cpp", renamed);
  replace("ops/relu/kernels/good.toml", "relu_f32", "renamed_");
  expect_judged(0);
  EXPECT_EQ(report()["run"]["policy_notes"].size(), 0u);
}

TEST_F(GatePolicy, a_renamed_file_pair_is_a_deletion_and_says_why) {
  std::filesystem::rename(path("ops/relu/kernels/spare.toml"), path("ops/relu/kernels/moved.toml"));
  expect_loosening("relu/moved has its source");
}

TEST_F(GatePolicy, a_changed_gate_toml_is_red_where_it_demands_less) {
  replace("gate.toml", "entries = 16", "entries = 1");
  expect_loosening("loosening: gate.toml:4: profiles.pr.entries is changed from 16 to 1");
  EXPECT_EQ(report()["rows"][0]["planned"], 16);
  replace("gate.toml", "entries = 1", "entries = 20");
  expect_judged(0, "policy change: gate.toml:4");
}

TEST_F(GatePolicy, a_gate_toml_that_looks_elsewhere_is_red) {
  std::filesystem::create_directories(path("elsewhere"));
  replace("gate.toml", "ops = [\"ops\"]", "ops = [\"elsewhere\"]");
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.output.find("paths.ops leaves out ops"), std::string::npos) << ran.output;
}

TEST_F(GatePolicy, a_nearer_gate_toml_is_red_and_has_no_effect) {
  put("ops/relu/gate.toml", "[profiles.pr]\nentries = 1\n");
  expect_loosening("loosening: ops/relu/gate.toml:1: a gate.toml below the one of the base");
  EXPECT_EQ(report()["rows"][0]["planned"], 16);
}

TEST_F(GatePolicy, an_allowed_loosening_is_in_effect_and_listed) {
  replace("gate.toml", "entries = 16", "entries = 2");
  const ProcessResult ran = judge({"--allow-policy-change"});
  EXPECT_EQ(ran.exit_code, 0) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("allowed loosening: gate.toml:4"), std::string::npos) << ran.output;
  EXPECT_EQ(report()["rows"][0]["planned"], 2);
}

TEST_F(GatePolicy, a_base_that_cannot_be_read_is_3_with_its_reports) {
  const std::vector<std::string> bases = {"0123456789012345678901234567890123456789", "nowhere",
                                          "/nonexistent/folder", "--upload-pack=x"};
  for (const std::string& base : bases) {
    std::filesystem::remove(path("out/r.json"));
    const ProcessResult ran = run({"--policy-from=" + base, "--json", path("out/r.json")});
    EXPECT_EQ(ran.exit_code, 3) << base << ran.output << ran.errors;
    EXPECT_NE(report()["run"]["environment_problem"], nullptr);
  }
  const ProcessResult ran = run({"--policy-from", "nowhere"});
  EXPECT_NE(ran.output.find("fetch-depth: 0"), std::string::npos) << ran.output;
}

TEST_F(GatePolicy, a_folder_of_the_change_is_never_taken_for_a_revision) {
  std::filesystem::create_directories(path("nowhere"));
  EXPECT_EQ(run({"--policy-from", "nowhere"}).exit_code, 3);
}

TEST_F(GatePolicy, a_shallow_clone_is_3) {
  put_kernel("good", good_source + "// more\n");
  commit("head");
  const std::string clone = path("out/clone");
  const auto cloned =
      run_process({"git", "clone", "-q", "--depth", "1", "file://" + root(), clone}, {});
  ASSERT_TRUE(cloned && cloned->exit_code == 0) << cloned->errors;
  const ProcessResult ran = gate({"run", clone, "--device", "host", "--policy-from", base_});
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("git fetch origin"), std::string::npos) << ran.output;
}

TEST_F(GatePolicy, a_checkout_serves_as_base) {
  const std::string base = path("out/base");
  git({"worktree", "add", "-q", base, "HEAD"});
  replace("gate.toml", "entries = 16", "entries = 1");
  const ProcessResult ran = run({"--policy-from", base, "--json", path("out/r.json")});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  EXPECT_EQ(report()["run"]["counts"]["tests_failed"], 0);
}

TEST_F(GatePolicy, a_base_without_gate_files_makes_everything_a_new_contract) {
  git({"checkout", "-q", "--orphan", "empty"});
  git({"rm", "-rq", "--cached", "."});
  git({"commit", "-q", "--allow-empty", "-m", "nothing"});
  base_ = git({"rev-parse", "HEAD"});
  expect_judged(0, "new contract: ops/relu/op.toml:1: op relu is new");
  put("tolerances/relu.toml", "op = \"relu\"\n[f32]\nc = 50\n");
  expect_loosening("a new tolerance row for f32 above the default: c = 50");
}

}  // namespace
}  // namespace gate
