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

TEST_F(PolicyAttack, the_environment_of_git_does_not_choose_the_repository) {
  replace("tolerances/relu.toml", "c = 1\nexact = true", "c = 50");
  const ProcessResult ran = run({"--policy-from", base_},
                                {{"GIT_DIR", "/nonexistent"}, {"GIT_CONFIG_COUNT", "nonsense"}});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
}

}  // namespace
}  // namespace gate
