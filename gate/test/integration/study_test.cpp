// Models of the seeded bugs against the kernels themselves, and the verb as a person calls it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/cli/catalogue.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Largest |got - model| of a case, in units of 1 + |model|, f32.
double distance(Executor& executor, const Case& value) {
  const Target& target = executor.target();
  const Inputs inputs = executor.inputs_of(value);
  const BugModel* model = find_bug_model(target.op->name, target.kernel->name);
  const Expected buggy = model->values(inputs, *target.op, target.column);
  const Outcome outcome = executor.outcome_of(value);
  EXPECT_EQ(outcome.end, Kind::pass) << outcome.text;
  double largest = 0;
  for (const ExpectedTensor& want : buggy.outputs) {
    for (const Tensor& got : outcome.after) {
      if (got.name != want.name || outcome.end != Kind::pass) continue;
      for (std::int64_t i = 0; i < got.elements(); ++i) {
        const double model_value = want.value[static_cast<std::size_t>(i)];
        const double off = std::abs(got.at(i) - model_value) / (1 + std::abs(model_value));
        largest =
            std::max(largest, std::isnan(off) ? std::numeric_limits<double>::infinity() : off);
      }
    }
  }
  return largest;
}

TEST(StudyModels, ComputeWhatTheBuggyKernelsCompute) {
  const auto catalogue = open_catalogue({fs::path(GATE_SOURCE_DIR) / "testcases"}, true);
  ASSERT_TRUE(catalogue);
  const auto kernels = read_study_corpus(*catalogue);
  ASSERT_TRUE(kernels);
  int models = 0;
  for (const StudyKernel& kernel : *kernels) {
    if (!kernel.buggy) continue;
    ++models;
    const Target target = study_target(kernel, "f32", "emu");
    Executor executor(target, build_kernel(*target.op, *target.kernel, "f32", target.device),
                      study_session(), {});
    std::int64_t visible = 0;
    for (std::uint64_t key = 0; key < 6; ++key) {
      Case value = study_case(kernel, "f32", study_strategy("randn"), key);
      if (value.axes.count("rows") > 0) value.axes["rows"] = 1 + static_cast<std::int64_t>(key);
      EXPECT_LT(distance(executor, value), 1e-4) << to_text(value);
      const Inputs inputs = executor.inputs_of(value);
      const Result<Expected> right = executor.reference(inputs);
      ASSERT_TRUE(right);
      const Expected buggy =
          find_bug_model(target.op->name, target.kernel->name)->values(inputs, *target.op, "f32");
      visible += visible_difference(buggy, *right, *target.op, "f32").judgeable ? 1 : 0;
    }
    EXPECT_GT(visible, 0) << kernel.kernel->name;
  }
  EXPECT_EQ(models, 10);
}

ProcessResult study(const std::vector<std::string>& words) {
  std::vector<std::string> arguments = {(fs::path(GATE_BINARY_DIR) / "gate").string(), "study"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  Result<ProcessResult> result = run_process(arguments, {.timeout_ms = 300'000});
  EXPECT_TRUE(result);
  return result ? *result : ProcessResult{};
}

TEST(StudyVerb, SameSeedSameFiles) {
  const Result<TemporaryFolder> folder = TemporaryFolder::create("gate-study");
  ASSERT_TRUE(folder);
  const std::string op = (fs::path(GATE_SOURCE_DIR) / "testcases/leaky_relu").string();
  std::vector<std::string> texts;
  for (const char* name : {"a", "b"}) {
    const fs::path out = folder->path() / name;
    const ProcessResult run = study({op, "--part", "paper_shapes,default_plan", "--cases", "2",
                                     "--seeds", "2", "--device", "emu", "--out", out.string()});
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    std::string text;
    for (const char* file :
         {"study.json", "study.md", "raw/paper_shapes.jsonl", "study-paper_shapes.svg"}) {
      const Result<std::string> content = read_file(out / file);
      ASSERT_TRUE(content) << file;
      text += *content;
    }
    texts.push_back(text);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0].find("\"control_red\": 0"), std::string::npos);
}

TEST(StudyVerb, GoesOnWhereTheTimeLimitEndedIt) {
  const Result<TemporaryFolder> folder = TemporaryFolder::create("gate-study");
  ASSERT_TRUE(folder);
  const std::string op = (fs::path(GATE_SOURCE_DIR) / "testcases/leaky_relu").string();
  const fs::path whole = folder->path() / "whole", pieces = folder->path() / "pieces";
  const auto command = [&](const fs::path& out) {
    return std::vector<std::string>{op,          "--part", "strategies,default_plan",
                                    "--cases",   "12",     "--seeds",
                                    "8",         "--jobs", "1",
                                    "--device",  "emu",    "--out",
                                    out.string()};
  };
  EXPECT_EQ(study(command(whole)).exit_code, 0);
  std::vector<std::string> limited = command(pieces);
  limited.insert(limited.end(), {"--time-limit", "1"});
  int calls = 0;
  ProcessResult run;
  do {
    run = study(limited);
    ++calls;
  } while (run.exit_code == 4 && calls < 100);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_GT(calls, 1) << "one second is not enough for this study";
  for (const char* file : {"study.json", "study.md", "raw/strategies.jsonl"}) {
    const auto one = read_file(whole / file), other = read_file(pieces / file);
    ASSERT_TRUE(one && other) << file;
    EXPECT_EQ(*one, *other) << file;
  }
  // All is kept now: nothing is measured again.
  EXPECT_EQ(study(limited).errors.find("/"), std::string::npos);
}

TEST(StudyVerb, SaysWhatItDoesNotKnow) {
  const std::string op = (fs::path(GATE_SOURCE_DIR) / "testcases/leaky_relu").string();
  EXPECT_EQ(study({op, "--part", "nothing"}).exit_code, 2);
  EXPECT_EQ(study({op}).exit_code, 2);
  EXPECT_EQ(study({op, "--all", "--cases", "0"}).exit_code, 2);
  EXPECT_EQ(study({op, "--all", "--time-limit", "0"}).exit_code, 2);
  EXPECT_EQ(study({"--list"}).exit_code, 0);
}

}  // namespace
}  // namespace gate
