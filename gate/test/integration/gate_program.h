// A small root of its own (op relu, f32, contiguous) with kernels a test writes, and the built gate
// run on it as a person would.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "gate/base/files.h"
#include "gate/base/process.h"

extern char** environ;

namespace gate {

/// relu, right everywhere.
inline const std::string good_source =
    "extern \"C\" void relu_f32(const float* x, float* y, long n, long cols) {\n"
    "  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0;\n"
    "  (void)cols;\n"
    "}\n";
/// relu, wrong in the last partial tile of 128 columns.
inline const std::string tail_source =
    "extern \"C\" void relu_f32(const float* x, float* y, long n, long cols) {\n"
    "  for (long i = 0; i < n; ++i) {\n"
    "    const bool tail = i % cols >= cols / 128 * 128;\n"
    "    y[i] = tail ? x[i] + 1 : x[i] > 0 ? x[i] : 0;\n"
    "  }\n"
    "}\n";
inline const std::string hanging_source =
    "extern \"C\" void relu_f32(const float* x, float* y, long n, long cols) {\n"
    "  for (volatile long i = 0; i >= 0;) { i = 1; }\n"
    "  y[0] = x[0] + n + cols;\n"
    "}\n";

class GateProgram : public testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryFolder> folder = TemporaryFolder::create("gate-program-");
    ASSERT_TRUE(folder);
    folder_ = std::make_unique<TemporaryFolder>(std::move(*folder));
    put("gate.toml",
        "[paths]\nops = [\"ops\"]\n[profiles.pr]\nentries = 16\nconfirm_runs = 2\n"
        "shrink_executions = 60\n[profiles.pr.caps]\nhost = { elements_max = 4096, "
        "operations_max = 65536, case_timeout_ms = 700 }\n");
    put("tolerances/relu.toml",
        "op = \"relu\"\n[f32]\nc = 1\nexact = true\norigin = \"default\"\n");
    put_op(256);
    const auto reference =
        read_file(std::filesystem::path(GATE_SOURCE_DIR) / "testcases/relu/reference.cpp");
    ASSERT_TRUE(reference);
    put("ops/relu/reference.cpp", *reference);
  }

  void put(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path(name);
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(file, text));
  }

  void put_op(int fixed_cols) const {
    put("ops/relu/op.toml",
        "[op]\nname = \"relu\"\nsummary = \"max(x, 0)\"\n"
        "[axes]\nrows = { min = 1, max = 8 }\ncols = { min = 1, max = 512 }\n"
        "[columns]\nf32 = { x = \"f32\", y = \"f32\" }\n"
        "[inputs.x]\nshape = [\"rows\", \"cols\"]\nvalues = [\"normal\", \"uniform01\"]\n"
        "[outputs.y]\nshape = [\"rows\", \"cols\"]\n"
        "[contract]\nnan = \"any\"\ndeterminism = \"bitwise\"\n"
        "[fixed_shape]\nrows = 4\ncols = " +
            std::to_string(fixed_cols) + "\n");
  }

  void put_kernel(const std::string& name, const std::string& source,
                  const std::string& more = "") const {
    put("ops/relu/kernels/" + name + ".cpp", source);
    put("ops/relu/kernels/" + name + ".toml",
        "[kernel]\nop = \"relu\"\nsource = \"" + name + ".cpp\"\n" +
            (more.empty() ? "" : "corpus = \"field\"\n") +
            "[entry]\nf32 = \"relu_f32\"\n"
            "[[launch]]\nargs = [\"x\", \"y\", \"rows * cols:i64\", \"cols:i64\"]\n" +
            more);
  }

  std::filesystem::path path(const std::string& name) const { return folder_->path() / name; }
  std::string root() const { return folder_->path().string(); }

  static std::string program() { return GATE_BINARY_DIR "/gate"; }

  using Environment = std::vector<std::pair<std::string, std::string>>;

  static ProcessResult gate(const std::vector<std::string>& arguments,
                            const Environment& variables = {}) {
    std::vector<std::string> command{"env"};
    for (const auto& [name, value] : variables) command.push_back(name + "=" + value);
    command.push_back(program());
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Result<ProcessResult> ran = run_process(command, {});
    EXPECT_TRUE(ran);
    return ran ? *ran : ProcessResult{};
  }

  /// gate run on the root with a fixed run seed; more flags at will.
  ProcessResult run(const std::vector<std::string>& more, const Environment& variables = {}) const {
    std::vector<std::string> arguments{"run", root(), "--device", "host", "--run-seed", "5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gate(arguments, variables);
  }

  nlohmann::ordered_json json(const std::string& name) const {
    const Result<std::string> text = read_file(path(name));
    EXPECT_TRUE(text);
    return text ? nlohmann::ordered_json::parse(*text) : nlohmann::ordered_json();
  }

  /// Starts gate without waiting for it.
  static pid_t start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program());
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    posix_spawn(&child, program().c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return child;
  }

  static bool appears(const std::filesystem::path& file) {
    for (int i = 0; i < 600; ++i) {
      if (std::filesystem::exists(file)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

 private:
  std::unique_ptr<TemporaryFolder> folder_;
};

}  // namespace gate
