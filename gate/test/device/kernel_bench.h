// Test support: the kernels of testcases/ with a corpus label, each with its plan and an executor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/search/search.h"
#include "gate/spec/read.h"

namespace gate {

/// All of testcases/, read once; references are the compiled ones.
const Catalogue& bundled_catalogue();

/// CUDA C++ kernels whose corpus label begins so, by name.
std::vector<const KernelSpec*> cuda_kernels(const std::string& label);

struct KernelBench {
  std::vector<Entry> plan;
  Executor executor;
};

struct BenchOptions {
  std::string device = "emu";
  int timeout_ms = 30'000;
};

/// The `pr` plan of one (kernel, column), and what executes it; the kernel is built.
KernelBench bench_of(const KernelSpec& kernel, const std::string& column,
                     const BenchOptions& options = {});

}  // namespace gate
