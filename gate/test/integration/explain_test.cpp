// Explanations of real kernels: the corpus' bugs rebuilt with other tiles keep sentences that name
// what is wrong and when; two bugs of one kind in one kernel stay two findings.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gate/cli/find_failures.h"
#include "gate/test/integration/target_fixture.h"

namespace gate {
namespace {

class ExplainTest : public HostTargets {
 protected:
  /// A kernel file of gate/test/retiled.
  KernelSpec retiled(const std::string& name) const {
    const std::filesystem::path file =
        std::filesystem::path(GATE_SOURCE_DIR) / "gate/test/retiled" / (name + ".toml");
    const std::string text = *read_file(file);
    const OpSchema* op = find_op(catalogue(), *parse_kernel_op(text, file));
    return *parse_kernel(text, file, *op);
  }

  struct Found {
    std::vector<Finding> findings;
    std::vector<Judged> judged;
    std::vector<FailureGroup> groups;
  };

  Found find(const KernelSpec& kernel, std::uint64_t run_seed) {
    Executor tested = executor(kernel);
    TargetPlan target_plan;
    target_plan.target = tested.target();
    target_plan.entries = plan(kernel, run_seed);
    Found found;
    found.judged.resize(target_plan.entries.size());
    tested.execute_plan(target_plan.entries, [&](Judged judged) {
      const std::size_t number = judged.number;
      found.judged[number] = std::move(judged);
      return true;
    });
    found.groups = group_failures(found.judged);
    CheckOptions options;
    options.profile = profile();
    Evidence evidence(tested, found.judged);
    found.findings = find_failures(evidence, target_plan, options, found.judged, found.groups);
    return found;
  }

  /// The finding of plain wrong values that most cases show.
  static Explanation main_of(const Found& found) {
    for (const Finding& finding : found.findings) {
      if (finding.seed.kind == Kind::wrong && finding.seed.property == property_value) {
        return finding.explanation;
      }
    }
    ADD_FAILURE() << "no finding of wrong values";
    return {};
  }
};

struct Rebuilt {
  std::string kernel;
  std::vector<std::string> words;  // of the sentence
};

TEST_F(ExplainTest, bugs_rebuilt_with_other_tiles_have_sentences_that_name_their_trigger) {
  const std::vector<Rebuilt> kernels = {
      {"softmax_pad48", {"cols % 48 != 0", "padded with zeros to a multiple of 48"}},
      {"softmax_lanes20", {"cols % 20 != 0", "padded with zeros to a multiple of 20"}},
      {"gelu_block48", {"2 times the right result", "x is not all zero"}},
      {"silu_block48", {"as if x were multiplied by 2 and the result divided by it"}},
      {"leaky_relu_block48", {"as if slope were 0.1", "x has a negative element"}},
      {"rmsnorm_lanes20", {"divided by sqrt(mean(x²) + eps)"}},
      {"l2norm_lanes20", {"divided by sqrt(sum(x²)"}},
      {"matmul_tile20", {"only the last block of 20 of k counted"}},
      {"attention_tile20", {"as if q were multiplied by sqrt(d)", "spread of q·k within a row"}},
      {"flash_attention_tile20", {"the largest q·k of a row is at n >= 20"}},
  };
  for (const Rebuilt& rebuilt : kernels) {
    const Explanation explanation = main_of(find(retiled(rebuilt.kernel), 1));
    for (const std::string& word : rebuilt.words) {
      EXPECT_NE(explanation.sentence.find(word), std::string::npos)
          << rebuilt.kernel << ": " << explanation.sentence << "\n"
          << explanation.core;
    }
  }
}

TEST_F(ExplainTest, every_condition_is_necessary_and_the_counts_add_up) {
  const Explanation explanation = main_of(find(retiled("softmax_pad48"), 1));
  ASSERT_FALSE(explanation.conditions.empty());
  for (const ExplainedCondition& condition : explanation.conditions) {
    EXPECT_GT(condition.passing_without, 0u) << condition.text;
  }
  EXPECT_EQ(explanation.passing_met, 0u) << explanation.core;
  EXPECT_GT(explanation.passing, 0u);
  EXPECT_LE(explanation.failing_met, explanation.failing);
}

TEST_F(ExplainTest, one_bug_is_one_finding_in_plain_and_special_values) {
  const Found found = find(retiled("leaky_relu_block48"), 1);
  ASSERT_EQ(found.findings.size(), 1u);
  const bool special = std::any_of(found.groups.begin(), found.groups.end(), [](const auto& group) {
    return group.property == property_special && group.finding == 0;
  });
  EXPECT_TRUE(special) << "no special case was there to be explained";
}

// Two bugs of kind wrong: the last partial tile of 64 columns, and values below -2.
const std::string two_bugs = R"(
#include <cmath>
extern "C" void kernel(const float* x, float* y, long rows, long cols, long xr, long xc, long yr,
                       long yc) {
  for (long r = 0; r < rows; ++r) {
    for (long c = 0; c < cols; ++c) {
      const float v = x[r * xr + c * xc];
      float result = std::tanh(v);
      if (c >= cols / 64 * 64) result = 0.75f * result;
      if (v < -2) result = 1.5f * result;
      y[r * yr + c * yc] = result;
    }
  }
}
)";

TEST_F(ExplainTest, two_bugs_of_one_kind_are_two_findings) {
  const Found found = find(from_text("tanh", two_bugs), 1);
  std::string all;
  int tail = 0, low = 0;
  for (const Finding& finding : found.findings) {
    const Explanation& explanation = finding.explanation;
    all += explanation.sentence + "\n";
    if (finding.seed.kind != Kind::wrong || finding.seed.property != property_value) continue;
    tail += explanation.sentence.find("cols % 64 != 0") != std::string::npos;
    low += explanation.sentence.find("cols %") == std::string::npos &&
           (explanation.sentence.find("smallest x <=") != std::string::npos ||
            explanation.sentence.find("largest |x| >") != std::string::npos);
  }
  EXPECT_EQ(tail, 1) << all;
  EXPECT_EQ(low, 1) << all;
}

}  // namespace
}  // namespace gate
