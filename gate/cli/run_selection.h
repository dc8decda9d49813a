// Which tests a run consists of: paths, corpus, device, shard, filter, --cases and --case decide it
// before anything is built, so that what was executed can be compared with what was planned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/cli/run_options.h"
#include "gate/cli/shard.h"
#include "gate/cli/target_plan.h"
#include "gate/spec/read.h"

namespace gate {

/// One GoogleTest test of a (kernel, column).
struct PlannedTest {
  enum class What { seed, strategy, fixed_shape, expectation };
  What what = What::strategy;
  std::string name;      // <column>/<strategy> …
  std::string strategy;  // strategy tests
  std::size_t seed = 0;  // seed tests: index into TargetPlan::seeds
};

struct SelectedTarget {
  TargetPlan plan;
  std::string suite;        // <op>/<kernel>
  std::string source_file;  // as the repository names it
  int source_line = 1;
  std::vector<PlannedTest> tests;
  std::optional<Expectation> expectation;  // unless --ignore-expect
  std::size_t plan_size = 0;               // entries of the whole plan
};

struct RunSelection {
  std::vector<SelectedTarget> targets;
  std::vector<std::pair<std::string, std::string>> not_selected;  // <op>/<kernel>, reason
  std::vector<std::string> left_out;  // expectation tests whose plan is only partly selected
};

struct SelectionInput {
  const Catalogue& catalogue;  // outlives the selection, which points into it
  const RunOptions& options;
  std::string device;  // resolved: not auto
  std::uint64_t run_seed = 0;
  Shard shard;
  const std::vector<KernelSpec>* base_kernels = nullptr;  // --policy-from; outlive it too
  std::filesystem::path base_root = {}, head_root = {};   // of both sides of --policy-from
};
Result<RunSelection> select_tests(const SelectionInput& input);

}  // namespace gate
