// Every CUDA C++ kernel of the paper's corpus compiles for every architecture people run, with
// NVRTC and no GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "gate/base/files.h"
#include "gate/spec/read.h"
#include "gate/worker/builder.h"

#ifdef GATE_HAVE_CUDA_HEADERS
#include "gate/device/cuda/compile.h"
#include "gate/device/cuda/driver.h"
#endif

namespace gate {
namespace {

#ifdef GATE_HAVE_CUDA_HEADERS
/// One compilation takes the entries of all columns that are compiled alike.
std::vector<BuildRequest> requests_of(const OpSchema& op, const KernelSpec& kernel) {
  std::vector<BuildRequest> requests;
  for (const auto& [column, entry] : kernel.entry) {
    BuildRequest request = build_request(op, kernel, column);
    if (!requests.empty() && requests.back().defines == request.defines) {
      auto& entries = requests.back().entries;
      entries.insert(entries.end(), request.entries.begin(), request.entries.end());
    } else {
      requests.push_back(std::move(request));
    }
  }
  for (BuildRequest& request : requests) {
    const std::set<std::string> distinct(request.entries.begin(), request.entries.end());
    request.entries.assign(distinct.begin(), distinct.end());
  }
  return requests;
}

class CudaArchitectures : public testing::TestWithParam<const char*> {};

TEST_P(CudaArchitectures, every_kernel_of_the_paper_compiles) {
  Nvrtc nvrtc;
  if (const auto problem = load_nvrtc(nvrtc)) GTEST_SKIP() << *problem;
  ::setenv("GATE_CUDA_ARCH", GetParam(), 1);
  const auto folder = TemporaryFolder::create("gate-architectures");
  ASSERT_TRUE(folder);
  const auto catalogue = load_catalogue({std::filesystem::path(GATE_SOURCE_DIR) / "testcases"});
  ASSERT_TRUE(catalogue) << to_text(catalogue.failure());
  int compiled = 0;
  for (const KernelSpec& kernel : catalogue->kernels) {
    if (kernel.corpus != "paper" || kernel.source.extension() != ".cu") continue;
    for (BuildRequest& request : requests_of(*find_op(*catalogue, kernel.op), kernel)) {
      request.output = folder->path() / "image";
      const BuildReply reply = build_cuda(request);
      EXPECT_EQ(reply.kind, Kind::pass) << kernel.name << ": " << reply.text;
      ++compiled;
    }
  }
  EXPECT_GE(compiled, 22);
  ::unsetenv("GATE_CUDA_ARCH");
}

INSTANTIATE_TEST_SUITE_P(of_people, CudaArchitectures,
                         testing::Values("sm_80", "sm_86", "sm_89", "sm_90", "sm_100"));
#else
TEST(CudaArchitectures, every_kernel_of_the_paper_compiles) {
  GTEST_SKIP() << "built without the headers of the CUDA Toolkit";
}
#endif

}  // namespace
}  // namespace gate
