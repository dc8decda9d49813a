// A repository that holds kernels and nothing else: contracts, references and tolerances of bundled
// ops come with the program.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/integration/policy_repository.h"

namespace gate {
namespace {

class BundledOp : public PolicyRepository {
 protected:
  void SetUp() override {
    PolicyRepository::SetUp();
    for (const char* name : {"ops", "tolerances", "gate.toml"}) remove(name);
    put_loose("mine", "value");
    rebase();
  }

  /// The bundled relu where `positive` is "value".
  void put_loose(const std::string& name, const std::string& positive) const {
    put("kernels/" + name + ".cpp",
        "extern \"C\" void mine(const float* x, float* y, long rows, long cols, long xr, long xc,\n"
        "                     long yr, long yc) {\n"
        "  for (long r = 0; r < rows; ++r) {\n"
        "    for (long c = 0; c < cols; ++c) {\n"
        "      const float value = x[r * xr + c * xc];\n"
        "      y[r * yr + c * yc] = value > 0 ? " +
            positive + " : value < 0 ? 0 : value;\n    }\n  }\n}\n");
    put("kernels/" + name + ".toml",
        "[kernel]\nop = \"relu\"\nsource = \"" + name +
            ".cpp\"\n[entry]\nf32 = \"mine\"\n[[launch]]\nargs = [\"x\", \"y\", \"rows:i64\", "
            "\"cols:i64\", \"x.stride(0):i64\", \"x.stride(1):i64\", \"y.stride(0):i64\", "
            "\"y.stride(1):i64\"]\n");
  }

  std::vector<std::string> kernels(const std::string& where) const {
    const ProcessResult ran = gate({"run", where, "--device", "host", "--gtest_list_tests"});
    std::vector<std::string> names;
    for (const std::string& line : split(ran.output, '\n')) {
      if (line.starts_with("relu/")) names.push_back(line);
    }
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    return names;
  }
};

TEST_F(BundledOp, kernels_are_found_from_root_folder_file_and_source) {
  const std::vector<std::string> expected = {"relu/mine."};
  for (const char* where : {"", "kernels", "kernels/mine.toml", "kernels/mine.cpp"}) {
    EXPECT_EQ(kernels(path(where)), expected) << where;
  }
}

TEST_F(BundledOp, an_unknown_op_is_2_and_names_the_nearest) {
  replace("kernels/mine.toml", "\"relu\"", "\"rellu\"");
  const ProcessResult ran = run({});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.errors.find("relu"), std::string::npos) << ran.errors;
  EXPECT_NE(ran.errors.find("neither here nor bundled"), std::string::npos) << ran.errors;
}

TEST_F(BundledOp, tolerances_of_a_bundled_op_cannot_be_set_from_outside) {
  put("tolerances/relu.toml", "op = \"relu\"\n[f32]\nc = 50\n");
  const ProcessResult ran = run({});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.errors.find("bundled op"), std::string::npos) << ran.errors;
}

TEST_F(BundledOp, an_own_op_of_the_name_has_no_effect_in_its_pull_request) {
  put_op(256);
  put("ops/relu/reference.cpp", "// not read\n");
  std::filesystem::rename(path("ops"), path("testcases"));
  put("tolerances/relu.toml", "op = \"relu\"\n[f32]\nc = 50\n");
  const ProcessResult ran = judge({"--cases=4"});
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  EXPECT_EQ(report()["run"]["loosened"], true);
}

TEST_F(BundledOp, a_change_is_judged_against_its_base) {
  EXPECT_EQ(judge({"--cases=6"}).exit_code, 0);
  EXPECT_EQ(report()["run"]["policy_notes"].size(), 0u);
  put_loose("mine", "value + 1");
  EXPECT_EQ(judge({"--cases=6"}).exit_code, 1);
  EXPECT_EQ(report()["rows"][0]["findings"][0]["novelty"], "new");
}

}  // namespace
}  // namespace gate
