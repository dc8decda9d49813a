// Ways to hide a loosening that a change could try: links, attributes, names, other places.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/policy_repository.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

class PolicyAttack : public PolicyRepository {
 protected:
  void expect_red(const std::string& note) const {
    const ProcessResult ran = judge();
    EXPECT_EQ(ran.exit_code, 1) << note << "\n" << ran.output << ran.errors;
    EXPECT_NE(ran.output.find(note), std::string::npos) << note << "\n" << ran.output;
    EXPECT_EQ(report()["run"]["loosened"], true);
  }

  /// The file becomes a link to a copy of it, changed.
  void link_to_changed(const std::string& file, const std::string& from,
                       const std::string& to) const {
    std::string text = *read_file(path(file));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    put("elsewhere/changed.toml", text.replace(at, from.size(), to));
    remove(file);
    fs::create_symlink(path("elsewhere/changed.toml"), path(file));
  }
};

TEST_F(PolicyAttack, attributes_of_the_base_hide_nothing) {
  put(".gitattributes", "*.toml export-ignore\n*.cpp export-ignore filter=nothing\n");
  rebase();
  replace("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  expect_red("c of f32 is changed from 1 to 50");
}

TEST_F(PolicyAttack, a_link_to_a_narrower_op_is_red) {
  link_to_changed("ops/relu/op.toml", "max = 512", "max = 300");
  expect_red("axis cols is changed");
}

TEST_F(PolicyAttack, a_kernel_toml_behind_a_link_is_deleted) {
  link_to_changed("ops/relu/kernels/spare.toml", "[entry]", "[domain]\nalignment = 64\n[entry]");
  expect_red("kernel relu/spare is deleted");
}

TEST_F(PolicyAttack, a_linked_tolerance_is_red) {
  link_to_changed("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  expect_red("c of f32 is changed from 1 to 50");
}

TEST_F(PolicyAttack, policy_behind_a_link_at_the_base_is_never_the_heads) {
  const std::string text = *read_file(path("tolerances/relu.toml"));
  put("elsewhere/relu.toml", text);
  remove("tolerances/relu.toml");
  fs::create_symlink("../elsewhere/relu.toml", path("tolerances/relu.toml"));
  rebase();
  put("elsewhere/relu.toml", "op = \"relu\"\n[f32]\nc = 50\n");
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("behind a link: tolerances/relu.toml"), std::string::npos)
      << ran.output;
}

TEST_F(PolicyAttack, an_op_folder_behind_a_link_at_the_base_is_3) {
  fs::create_directories(path("store"));
  fs::rename(path("ops/relu"), path("store/relu"));
  fs::create_symlink("../store/relu", path("ops/relu"));
  rebase();
  EXPECT_EQ(judge().exit_code, 3);
}

TEST_F(PolicyAttack, a_name_in_other_case_is_another_kernel) {
  fs::rename(path("ops/relu/kernels/spare.toml"), path("ops/relu/kernels/Spare.toml"));
  expect_red("kernel relu/spare is deleted");
}

TEST_F(PolicyAttack, a_kernel_moved_to_another_op_is_deleted_from_its_own) {
  fs::copy(path("ops/relu"), path("ops/other"), fs::copy_options::recursive);
  remove("ops/relu/kernels/spare.toml");
  replace("ops/other/op.toml", "name = \"relu\"", "name = \"other\"");
  for (const std::string kernel : {"good", "spare"}) {
    replace("ops/other/kernels/" + kernel + ".toml", "op = \"relu\"", "op = \"other\"");
  }
  put("tolerances/other.toml", "op = \"other\"\n[f32]\nc = 50\n");
  expect_red("kernel relu/spare is deleted");
  EXPECT_NE(judge().output.find("a new tolerance row for f32 above the default"),
            std::string::npos);
}

TEST_F(PolicyAttack, an_op_folder_at_the_root_cannot_deselect_the_others) {
  fs::copy(path("ops/relu"), path("decoy"), fs::copy_options::recursive);
  replace("decoy/op.toml", "name = \"relu\"", "name = \"decoy\"");
  for (const std::string kernel : {"good", "spare"}) {
    replace("decoy/kernels/" + kernel + ".toml", "op = \"relu\"", "op = \"decoy\"");
  }
  put("tolerances/decoy.toml", "op = \"decoy\"\n[f32]\nc = 1\n");
  expect_red("kernel relu/good is deleted or not selected any more");
}

TEST_F(PolicyAttack, a_gate_toml_beside_the_kernels_is_no_kernel) {
  put("ops/relu/kernels/gate.toml", "[profiles.pr]\nentries = 1\n");
  EXPECT_EQ(judge().exit_code, 2);
}

TEST_F(PolicyAttack, a_deleted_gate_toml_is_red_and_still_in_effect) {
  remove("gate.toml");
  expect_red("gate.toml is deleted");
  EXPECT_EQ(report()["rows"][0]["planned"], 16);
}

TEST_F(PolicyAttack, a_kernel_that_cannot_run_any_more_is_red) {
  put("ops/relu/kernels/spare.cu", "// nothing");
  remove("ops/relu/kernels/spare.cpp");
  replace("ops/relu/kernels/spare.toml", "spare.cpp", "spare.cu");
  expect_red("kernel relu/spare is not run any more: device host takes .cpp .so, not .cu");
  EXPECT_NE(judge().output.find("ops/relu/kernels/spare.toml:3"), std::string::npos);
}

TEST_F(PolicyAttack, a_source_that_stays_behind_unnamed_is_red) {
  put("ops/relu/kernels/decoy.cpp", good_source);
  put("ops/relu/kernels/good.cpp", tail_source);
  replace("ops/relu/kernels/good.toml", "good.cpp", "decoy.cpp");
  expect_red("the source is decoy.cpp now; good.cpp is still there, and no kernel names it");
  remove("ops/relu/kernels/good.cpp");
  expect_judged(0);
}

TEST_F(PolicyAttack, a_base_kernel_made_of_the_heads_files_excuses_nothing) {
  put("common/body.h", good_source);
  put("ops/relu/kernels/good.cpp", "#include \"" + path("common/body.h").string() + "\"\n");
  rebase();
  put("common/body.h", tail_source);
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_EQ(report()["rows"][0]["findings"][0]["novelty"], "new");
}

TEST_F(PolicyAttack, a_head_kernel_made_of_the_bases_files_does_not_build) {
  const std::string base = path("out/base");
  git({"worktree", "add", "-q", base, "HEAD"});
  put("ops/relu/kernels/good.cpp", "#include \"" + base + "/ops/relu/kernels/good.cpp\"\n");
  const ProcessResult ran = run({"--policy-from", base, "--json", path("out/r.json")});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("takes in a file of the base revision"), std::string::npos)
      << ran.output;
}

TEST_F(PolicyAttack, a_base_folder_with_policy_behind_a_link_is_3) {
  const std::string base = path("out/base");
  fs::create_directories(base);
  for (const char* part : {"gate.toml", "ops"}) {
    fs::copy(path(part), fs::path(base) / part, fs::copy_options::recursive);
  }
  fs::create_symlink(path("tolerances"), base + "/tolerances");
  fs::create_symlink("/nonexistent/data", base + "/data");
  const ProcessResult ran = run({"--policy-from", base});
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("behind a link: tolerances"), std::string::npos) << ran.output;
  fs::remove(base + "/tolerances");
  fs::copy(path("tolerances"), base + "/tolerances", fs::copy_options::recursive);
  EXPECT_EQ(run({"--policy-from", base}).exit_code, 0);
}

TEST_F(PolicyAttack, policy_in_a_submodule_of_the_base_is_3) {
  const std::string inner = path("out/inner");
  fs::create_directories(inner);
  fs::copy(path("ops"), inner, fs::copy_options::recursive);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "inner"}}) {
    std::vector<std::string> command = {"git",         "-C", inner,           "-c",
                                        "user.name=t", "-c", "user.email=t@t"};
    command.insert(command.end(), words.begin(), words.end());
    ASSERT_EQ(run_process(command, {})->exit_code, 0);
  }
  remove("ops");
  fs::rename(inner, path("ops"));
  git({"rm", "-rq", "--cached", "ops"});
  rebase();
  EXPECT_NE(git({"ls-tree", "HEAD", "ops"}).find("160000"), std::string::npos);
  replace("ops/relu/op.toml", "max = 512", "max = 300");
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 3) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("its folder ops is empty: a submodule?"), std::string::npos)
      << ran.output;
}

TEST_F(PolicyAttack, an_op_under_another_name_takes_no_kernel_along) {
  fs::rename(path("ops/relu"), path("ops/mine"));
  EXPECT_EQ(judge().exit_code, 2);  // an op is a folder of its name
  replace("ops/mine/op.toml", "name = \"relu\"", "name = \"mine\"");
  for (const std::string kernel : {"good", "spare"}) {
    replace("ops/mine/kernels/" + kernel + ".toml", "op = \"relu\"", "op = \"mine\"");
  }
  put("tolerances/mine.toml", "op = \"mine\"\n[f32]\nc = 1\n");
  expect_red("kernel relu/good is deleted or not selected any more");
}

TEST_F(PolicyAttack, a_path_that_became_a_link_is_2) {
  remove("ops/relu/kernels/spare.toml");
  fs::rename(path("ops"), path("others"));
  fs::create_symlink("others", path("ops"));
  for (const char* named : {"ops", "ops/relu", "ops/relu/kernels/good.toml"}) {
    const ProcessResult ran =
        gate({"run", path(named), "--device", "host", "--policy-from", base_});
    EXPECT_EQ(ran.exit_code, 2) << ran.output << ran.errors;
    EXPECT_NE(ran.errors.find("the path leads through a link"), std::string::npos) << ran.errors;
  }
}

TEST_F(PolicyAttack, an_op_of_the_repository_cannot_give_way_to_the_bundled_one) {
  fs::create_directories(path("ops/loose"));
  for (const char* file : {"good.cpp", "good.toml", "spare.cpp", "spare.toml"}) {
    fs::rename(path("ops/relu/kernels") / file, path("ops/loose") / file);
  }
  remove("ops/relu");
  remove("tolerances");
  const ProcessResult ran = judge();
  EXPECT_NE(ran.exit_code, 0) << ran.output << ran.errors;
}

TEST_F(PolicyAttack, the_environment_of_git_does_not_choose_the_repository) {
  replace("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  const ProcessResult ran = run({"--policy-from", base_},
                                {{"GIT_DIR", "/nonexistent"}, {"GIT_CONFIG_COUNT", "nonsense"}});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
}

}  // namespace
}  // namespace gate
