// Sources as users and code models write them, different in kind and 150 lines or longer, run
// unmodified and clean on the emulator. Here the head of one column's plan each; whole plans:
// gate run testcases --corpus variety --device emu. nvcc's side: cuda_architectures_test.cpp.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/test/device/kernel_bench.h"

namespace gate {
namespace {

constexpr std::size_t entries_of_a_kernel = 10;
constexpr std::size_t sources_least = 10;
constexpr std::ptrdiff_t lines_least = 150;

/// Of the source and of the headers in the folder of its name.
std::ptrdiff_t lines_of(const KernelSpec& kernel) {
  std::filesystem::path own = kernel.source;
  own.replace_extension();
  std::vector<std::filesystem::path> files = find_files(own, ".cuh");
  files.push_back(kernel.source);
  std::ptrdiff_t lines = 0;
  for (const auto& file : files) {
    const auto text = read_file(file);
    if (text) lines += std::count(text->begin(), text->end(), '\n');
  }
  return lines;
}

class Variety : public testing::TestWithParam<const KernelSpec*> {};

TEST_P(Variety, is_clean) {
  const KernelSpec& kernel = *GetParam();
  EXPECT_GE(lines_of(kernel), lines_least);
  const std::vector<std::string> columns = columns_of(kernel);
  KernelBench bench = bench_of(kernel, columns[kernel.name.size() % columns.size()]);
  ASSERT_EQ(name(bench.executor.build().kind), name(Kind::pass)) << bench.executor.build().text;
  bench.plan.resize(std::min(bench.plan.size(), entries_of_a_kernel));
  std::size_t cases = 0;
  bench.executor.execute_plan(bench.plan, [&](const Judged& judged) {
    ++cases;
    EXPECT_EQ(name(judged.verdict.kind), name(Kind::pass))
        << judged.verdict.text << " at " << to_text(judged.test_case);
    return judged.verdict.kind == Kind::pass;
  });
  EXPECT_EQ(cases, bench.plan.size());
}

INSTANTIATE_TEST_SUITE_P(Emu, Variety, testing::ValuesIn(cuda_kernels("variety")),
                         [](const auto& info) { return info.param->name; });

TEST(VarietySet, holds_ten_sources) { EXPECT_GE(cuda_kernels("variety").size(), sources_least); }

}  // namespace
}  // namespace gate
