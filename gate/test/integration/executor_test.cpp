// Executor, shrink, confirm and fixed-shape oracles on real workers: one kernel per kind.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gate/explain/finding.h"
#include "gate/explain/pattern.h"
#include "gate/search/classify.h"
#include "gate/search/null_kernel_run.h"
#include "gate/test/integration/target_fixture.h"

namespace gate {
namespace {

using ExecutorTest = HostTargets;

TEST_F(ExecutorTest, a_right_kernel_passes_its_plan) {
  const KernelSpec kernel = from_text("softmax", softmax_code());
  Executor tested = executor(kernel);
  const std::vector<Entry> entries = plan(kernel, 1);
  ASSERT_FALSE(entries.empty());
  std::vector<std::size_t> numbers;
  tested.execute_plan(entries, [&](Judged judged) {
    EXPECT_EQ(judged.verdict.kind, Kind::pass)
        << to_text(judged.test_case) << ": " << judged.verdict.text;
    numbers.push_back(judged.number);
    return true;
  });
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers.size(), entries.size());
  EXPECT_EQ(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

TEST_F(ExecutorTest, padded_softmax_is_found_shrunk_confirmed_and_an_illusion) {
  const KernelSpec& kernel = bundled("softmax_llm_buggy");
  Executor tested = executor(kernel);
  std::optional<Judged> red;
  tested.execute_plan(plan(kernel, 1), [&](Judged judged) {
    if (colour(judged.verdict.kind) == Colour::red && (!red || judged.number < red->number)) {
      red = std::move(judged);
    }
    return true;
  });
  ASSERT_TRUE(red);
  EXPECT_LT(red->number, 16u);
  ShrinkOptions options;
  options.same = [](const Judged& candidate, const Judged& original) {
    return same_pattern(candidate.verdict, original.verdict);
  };
  RawFailure failure = shrink(tested, *red, options);
  EXPECT_EQ(failure.shrunk.test_case.axes.at("rows"), 1);
  EXPECT_LE(failure.shrunk.test_case.axes.at("cols"), 8);
  EXPECT_LE(failure.shrink_executions, options.executions_max);
  confirm(tested, failure, 3);
  EXPECT_EQ(failure.confirmed, 3);
  const auto fixed = measure_fixed_shape(tested);
  EXPECT_TRUE(illusion_rule_passed(fixed));
  EXPECT_EQ(classify(1, 0, 96, fixed), Class::illusion);
  const Finding finding = make_finding(tested.target(), failure, explain(tested, failure, {}, 0));
  EXPECT_EQ(finding.seed.input_digest, input_digest(tested.inputs_of(finding.seed.test_case)));
  EXPECT_EQ(finding.seed.embedded.count("x"), 1u);
  EXPECT_GT(finding.source_line, 1);
  EXPECT_FALSE(finding.explanation.sentence.empty());
  EXPECT_FALSE(finding.explanation.worst.empty());
}

TEST_F(ExecutorTest, every_fixed_shape_rule_accepts_a_right_kernel) {
  const KernelSpec& kernel = bundled("softmax");
  Executor tested = executor(kernel);
  for (const FixedShapeResult& result : measure_fixed_shape(tested)) {
    EXPECT_TRUE(result.passed) << result.rule << " " << result.values << ": " << result.text;
  }
}

struct KindCase {
  Kind kind;
  std::string property, code;
};

TEST_F(ExecutorTest, one_kernel_for_each_kind) {
  const std::vector<KindCase> cases = {
      {Kind::pass, "value", softmax_code()},
      {Kind::wrong, "value", softmax_code("Y(r, cols - 1) *= 1.5f;")},
      {Kind::nonfinite, "value", softmax_code("Y(r, 0) = 1 / (top - top);")},
      {Kind::out_of_bounds, "memory", softmax_code("", "", "y[rows * yr] = 1;")},
      {Kind::unwritten, "memory", softmax_code("", "if (rows > 1) --rows;")},
      {Kind::input_modified, "memory", softmax_code("X(r, 0) += 1;")},
      {Kind::crash, "value", softmax_code("", "if (rows == 2) std::abort();")},
      {Kind::timeout, "value", softmax_code("", "for (volatile int i = 0; rows == 2;) i = i + 1;")},
      {Kind::nondeterministic, "repeat",
       softmax_code("Y(r, 0) *= 1 + calls % 2;", "static int calls = 0; ++calls;")},
  };
  for (const KindCase& kind_case : cases) {
    const KernelSpec kernel = from_text("softmax", kind_case.code);
    Executor tested = executor(kernel, 300);
    const Verdict verdict = tested.execute(softmax_case(2, 5));
    EXPECT_EQ(name(verdict.kind), name(kind_case.kind)) << verdict.text;
    EXPECT_EQ(verdict.property, kind_case.property) << name(kind_case.kind);
  }
}

TEST_F(ExecutorTest, a_source_that_does_not_compile_is_one_failed_build) {
  const KernelSpec kernel = from_text("softmax", "this is not C++");
  Executor tested = executor(kernel);
  int seen = 0;
  tested.execute_plan(plan(kernel, 1), [&](Judged judged) {
    ++seen;
    EXPECT_EQ(judged.verdict.kind, Kind::build_failed);
    EXPECT_EQ(judged.verdict.property, "build");
    EXPECT_FALSE(judged.verdict.text.empty());
    return true;
  });
  EXPECT_EQ(seen, 1);
  for (const FixedShapeResult& result : measure_fixed_shape(tested)) EXPECT_FALSE(result.passed);
}

TEST_F(ExecutorTest, a_row_that_its_neighbour_changes_breaks_a_law) {
  // Within the tolerance everywhere, but not the row's own business.
  const KernelSpec kernel = from_text(
      "softmax", softmax_code("if (rows > 1) Y(r, 0) = std::nextafter(Y(r, 0), X((r + 1) % rows, 0)"
                              " > 0 ? 1.0f : 0.0f);"));
  Executor tested = executor(kernel);
  Case value = softmax_case(16, 5);
  EXPECT_EQ(tested.execute(value).kind, Kind::pass);
  value.property = "law:batch_independent";
  int broken = 0;
  for (value.key = 1; value.key <= 8; ++value.key) {
    const Verdict verdict = tested.execute(value);
    if (verdict.kind != Kind::law_broken) continue;
    ++broken;
    EXPECT_EQ(verdict.property, "law:batch_independent");
  }
  EXPECT_GT(broken, 0);
}

TEST_F(ExecutorTest, a_second_call_on_the_same_memory_is_part_of_repeat) {
  const KernelSpec kernel = from_text(
      "softmax", softmax_code("", "static float* last = nullptr; bool again = last == y; last = y;",
                              "if (again) Y(0, 0) += 1;"));
  Executor tested = executor(kernel);
  Case value = softmax_case(2, 5);
  value.property = "repeat";
  const Verdict verdict = tested.execute(value);
  EXPECT_EQ(verdict.kind, Kind::nondeterministic) << verdict.text;
}

TEST_F(ExecutorTest, verdicts_are_cached_until_asked_again) {
  const KernelSpec kernel = from_text("softmax", softmax_code());
  Executor tested = executor(kernel);
  tested.execute(softmax_case(1, 3));
  tested.execute(softmax_case(1, 3));
  EXPECT_EQ(tested.executions(), 1u);
  tested.execute_again(softmax_case(1, 3));
  EXPECT_EQ(tested.executions(), 2u);
}

TEST_F(ExecutorTest, an_illegal_case_is_not_checked) {
  const KernelSpec kernel = from_text("softmax", softmax_code());
  Executor tested = executor(kernel);
  EXPECT_EQ(tested.execute(softmax_case(0, 3)).kind, Kind::not_checked);
}

TEST_F(ExecutorTest, every_null_kernel_is_rejected_by_the_plan) {
  const KernelSpec& kernel = bundled("softmax");
  Executor tested = executor(kernel);
  std::vector<Entry> entries = plan(kernel, 1);
  entries.resize(std::min<std::size_t>(entries.size(), 32));
  const std::vector<NullKernelResult> results = measure_null_kernels(tested, entries);
  EXPECT_EQ(surviving_null_kernels(results), std::vector<std::string>());
  for (const NullKernelResult& result : results) EXPECT_GT(result.rejected, 0u) << result.name;
}

TEST_F(ExecutorTest, a_plan_stops_when_told) {
  const KernelSpec& kernel = bundled("softmax");
  Executor tested = executor(kernel);
  int seen = 0;
  tested.execute_plan(plan(kernel, 1), [&](Judged) { return ++seen < 5; });
  EXPECT_EQ(seen, 5);
}

}  // namespace
}  // namespace gate
