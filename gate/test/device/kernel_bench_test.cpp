// What kernel_bench.h declares, and that labels select what they should.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/device/kernel_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gate/base/check.h"

namespace gate {

const Catalogue& bundled_catalogue() {
  static const Catalogue loaded = [] {
    auto result = load_catalogue({std::filesystem::path(GATE_SOURCE_DIR) / "testcases"});
    check(static_cast<bool>(result), "testcases/ is readable");
    for (OpSchema& op : result->ops) op.bundled = true;
    return std::move(*result);
  }();
  return loaded;
}

std::vector<const KernelSpec*> cuda_kernels(const std::string& label) {
  std::vector<const KernelSpec*> result;
  for (const KernelSpec& kernel : bundled_catalogue().kernels) {
    if (kernel.corpus.starts_with(label) && source_kind(kernel) == ".cu") {
      result.push_back(&kernel);
    }
  }
  std::sort(result.begin(), result.end(),
            [](const auto* a, const auto* b) { return a->name < b->name; });
  return result;
}

KernelBench bench_of(const KernelSpec& kernel, const std::string& column,
                     const BenchOptions& options) {
  const Catalogue& catalogue = bundled_catalogue();
  const OpSchema* op = find_op(catalogue, kernel.op);
  PlanOptions plan;
  plan.run_seed = 5;
  plan.device = options.device;
  plan.profile = catalogue.config.profiles.at("pr");
  SessionOptions session;
  session.case_timeout_ms = options.timeout_ms;
  const Tolerance& tolerance = catalogue.tolerances.at(kernel.op).rows.at(column);
  return {make_plan(*op, kernel, column, plan),
          Executor({op, &kernel, column, options.device, tolerance},
                   build_kernel(*op, kernel, column, options.device), session, plan.profile)};
}

TEST(KernelBench, labels_select_cuda_kernels) {
  const auto paper = cuda_kernels("paper");
  EXPECT_EQ(paper.size(), 22u);
  for (const KernelSpec* kernel : paper) EXPECT_EQ(source_kind(*kernel), ".cu") << kernel->name;
  EXPECT_TRUE(cuda_kernels("nothing").empty());
}

}  // namespace gate
