// Whose bug it is: what the base's kernel does on the failing case decides, then the seeds.
// SPDX-License-Identifier: Apache-2.0
#include <pugixml.hpp>

#include "gate/test/integration/policy_repository.h"

namespace gate {
namespace {

/// As tail_source, and wrong in the last row where there are more than four.
const std::string two_bugs_source =
    "extern \"C\" void relu_f32(const float* x, float* y, long n, long cols) {\n"
    "  for (long i = 0; i < n; ++i) {\n"
    "    const bool tail = i % cols >= cols / 128 * 128;\n"
    "    const bool low = n / cols > 4 && i / cols == n / cols - 1;\n"
    "    y[i] = tail || low ? x[i] + 1 : x[i] > 0 ? x[i] : 0;\n"
    "  }\n"
    "}\n";

class GateNovelty : public PolicyRepository {
 protected:
  void SetUp() override {
    PolicyRepository::SetUp();
    remove("ops/relu/kernels/spare.toml");
    put("ops/relu/kernels/good.cpp", tail_source);
    ASSERT_EQ(run({"--seeds-out", path("out/seeds")}).exit_code, 1);
    rebase();
  }

  /// Commits what was found with a status, as part of the base.
  void accept(const std::vector<std::string>& status) {
    std::vector<std::string> arguments = {"seeds", "accept", path("out/seeds"), "--root", root()};
    arguments.insert(arguments.end(), status.begin(), status.end());
    const ProcessResult ran = gate(arguments);
    ASSERT_EQ(ran.exit_code, 0) << ran.output << ran.errors;
    rebase();
  }

  void accept_known() {
    accept({"--status", "known", "--reason", "r", "--owner", "o", "--expires", "2030-06-30"});
  }

  std::vector<std::string> novelties() const {
    std::vector<std::string> words;
    const auto whole = report();
    for (const auto& finding : whole["rows"][0]["findings"]) words.push_back(finding["novelty"]);
    return words;
  }

  void head(const std::string& source) const { put("ops/relu/kernels/good.cpp", source); }
};

using Words = std::vector<std::string>;

TEST_F(GateNovelty, a_bug_that_the_base_has_does_not_block) {
  head(tail_source + "// another line\n");
  expect_judged(0, "preexisting");
  EXPECT_EQ(novelties(), Words{"preexisting"});
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(path("out/r.xml").c_str()));
  const pugi::xml_node suites = junit.child("testsuites");
  EXPECT_EQ(suites.attribute("failures").as_int(), 0);
  EXPECT_GT(suites.attribute("skipped").as_int(), 0);
}

TEST_F(GateNovelty, a_known_bug_is_green_with_a_note) {
  accept_known();
  head(tail_source + "// another line\n");
  expect_judged(0, "known");
  EXPECT_EQ(novelties(), Words{"known"});
}

TEST_F(GateNovelty, a_known_bug_that_has_expired_is_red) {
  accept_known();
  const ProcessResult ran = judge({}, "2030-07-01");
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  EXPECT_NE(ran.output.find("known until 2030-06-30, which is over"), std::string::npos)
      << ran.output;
}

TEST_F(GateNovelty, a_second_bug_in_a_kernel_with_a_known_one_is_red) {
  accept_known();
  head(two_bugs_source);
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 1) << ran.output << ran.errors;
  const Words words = novelties();
  EXPECT_NE(std::find(words.begin(), words.end(), "new"), words.end()) << ran.output;
}

TEST_F(GateNovelty, a_fixed_seed_that_fails_again_has_regressed) {
  head(good_source);
  accept({"--status", "fixed"});
  expect_judged(0);
  head(tail_source);
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_EQ(novelties(), Words{"regressed"});
}

TEST_F(GateNovelty, a_bug_whose_known_seed_passes_at_the_base_is_new_again) {
  head(good_source);
  accept_known();
  head(tail_source);
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_EQ(novelties(), Words{"new"});
}

TEST_F(GateNovelty, an_open_seed_is_red_on_main_and_not_in_a_change) {
  accept({});
  EXPECT_EQ(run({}).exit_code, 1);
  head(tail_source + "// another line\n");
  expect_judged(0);
  EXPECT_EQ(novelties(), Words{"preexisting"});
}

TEST_F(GateNovelty, a_bug_in_a_new_kernel_is_new) {
  put_kernel("other", tail_source);
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_EQ(report()["rows"][1]["findings"][0]["novelty"], "new");
  EXPECT_EQ(report()["rows"][0]["findings"][0]["novelty"], "preexisting");
}

TEST_F(GateNovelty, a_kernel_that_stops_building_is_new_and_one_that_never_did_is_not) {
  head("extern \"C\" void relu_f32() { nonsense }\n");
  EXPECT_EQ(judge().exit_code, 1);
  EXPECT_EQ(novelties(), Words{"new"});
  rebase();
  head("extern \"C\" void relu_f32() { nonsense too }\n");
  expect_judged(0);
  EXPECT_EQ(novelties(), Words{"preexisting"});
}

/// What lies behind an old hang is not run, and so not green: a new bug may be there.
TEST_F(GateNovelty, a_hang_that_the_base_has_leaves_the_rest_unchecked) {
  std::string hangs = good_source;
  hangs.replace(hangs.find("{\n") + 2, 0,
                "  if (cols > 2) for (volatile long i = 0; i >= 0;) i = 1;\n");
  head(hangs);
  rebase();
  head(hangs + "// another line\n");
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 4) << ran.output << ran.errors;
  EXPECT_EQ(novelties(), Words{"preexisting"});
  EXPECT_NE(ran.output.find("not run: stopped after 3 cases of kind timeout"), std::string::npos)
      << ran.output;
}

TEST_F(GateNovelty, an_added_known_seed_excuses_nothing) {
  head(good_source);
  rebase();
  head(tail_source);
  ASSERT_EQ(gate({"seeds", "accept", path("out/seeds"), "--root", root(), "--status", "known",
                  "--reason", "r", "--owner", "o", "--expires", "2999-01-01"})
                .exit_code,
            0);
  const ProcessResult ran = judge();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.output.find("a new seed says that its failure is known"), std::string::npos);
  EXPECT_EQ(novelties(), Words{"new"});
}

TEST_F(GateNovelty, a_deleted_or_changed_seed_is_red) {
  accept_known();
  const auto files = find_files(path("seeds"), ".toml");
  ASSERT_EQ(files.size(), 1u);
  const std::string text = *read_file(files[0]);
  std::filesystem::remove(files[0]);
  expect_loosening("is deleted (would have excused its failure)");
  std::string later = text;
  later.replace(later.find("2030-06-30"), 10, "2999-06-30");
  ASSERT_TRUE(write_file(files[0], later));
  expect_loosening("is changed (known to known)");
}

}  // namespace
}  // namespace gate
