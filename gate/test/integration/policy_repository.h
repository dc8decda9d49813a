// A small repository under git with a base commit, and the gate run on a change to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/base/text.h"
#include "gate/test/integration/gate_program.h"

namespace gate {

class PolicyRepository : public GateProgram {
 protected:
  static constexpr const char* domain = "[domain]\nconstraints = [\"cols % 4 == 0\"]\n";

  /// The base: kernels good and spare, both right.
  void SetUp() override {
    GateProgram::SetUp();
    put_kernel("good", good_source);
    put_kernel("spare", good_source);
    put(".gitignore", "/out\n");
    git({"init", "-q", "-b", "main"});
    base_ = commit("base");
  }

  std::string git(const std::vector<std::string>& words) const {
    std::vector<std::string> arguments = {"git",         "-C", root(),          "-c",
                                          "user.name=t", "-c", "user.email=t@t"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Result<ProcessResult> ran = run_process(arguments, {});
    EXPECT_TRUE(ran && ran->exit_code == 0) << words.front() << (ran ? ran->errors : "");
    return ran ? std::string(trim(ran->output)) : std::string();
  }

  std::string commit(const std::string& message) const {
    git({"add", "-A", "."});
    git({"commit", "-q", "--allow-empty", "-m", message});
    return git({"rev-parse", "HEAD"});
  }

  /// Makes what is there now the base.
  void rebase() { base_ = commit("base"); }

  ProcessResult judge(std::vector<std::string> more = {},
                      const std::string& today = "2030-01-01") const {
    more.insert(more.begin(), {"--policy-from", base_, "--json", path("out/r.json"), "--junit",
                               path("out/r.xml"), "--today", today});
    return run(more);
  }

  nlohmann::ordered_json report() const { return json("out/r.json"); }

  void replace(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = *read_file(path(file));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    put(file, text.replace(at, from.size(), to));
  }

  void remove(const std::string& file) const { std::filesystem::remove_all(path(file)); }

  /// Red because of policy alone: the note is there, and the kernels are as they were.
  void expect_loosening(const std::string& note) const {
    const ProcessResult ran = judge();
    EXPECT_EQ(ran.exit_code, 1) << note << "\n" << ran.output << ran.errors;
    EXPECT_NE(ran.output.find(note), std::string::npos) << note << "\n" << ran.output;
    const auto told = report();
    EXPECT_EQ(told["run"]["loosened"], true);
    EXPECT_EQ(told["run"]["counts"]["tests_failed"], 0) << note << "\n" << ran.output;
    const std::string junit = *read_file(path("out/r.xml"));
    EXPECT_NE(junit.find("illusion.policy"), std::string::npos) << junit;
  }

  void expect_judged(int exit_code, const std::string& note = "") const {
    const ProcessResult ran = judge();
    EXPECT_EQ(ran.exit_code, exit_code) << ran.output << ran.errors;
    EXPECT_NE(ran.output.find(note), std::string::npos) << note << "\n" << ran.output;
    EXPECT_EQ(report()["run"]["loosened"], false);
  }

  std::string base_;
};

}  // namespace gate
