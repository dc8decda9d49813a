// What is selected of one (kernel, column), and the limits it runs under: the input of
// check_target. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/explain/finding.h"
#include "gate/policy/novelty.h"
#include "gate/search/search.h"
#include "gate/spec/config.h"
#include "gate/spec/seed.h"

namespace gate {

class Confirmers;  // search/confirm.h

struct TargetPlan {
  Target target;
  std::vector<Entry> entries;        // selected ones, in plan order
  std::vector<std::size_t> numbers;  // of each entry in the whole plan
  std::vector<Seed> seeds;           // to be replayed first
  std::vector<Seed> committed;       // every seed of this kernel and column
  bool measure_fixed_shape = false;  // also where nothing is found
  bool has_base = false;             // failures are compared with the base's kernel …
  std::optional<Target> base;        // … which may not exist
  std::filesystem::path base_root;   // neither side may be built from the other's files
  std::filesystem::path head_root;
};

/// When to stop early; whatever is left then is not checked, never green.
struct RunLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupted = nullptr;

  bool is_interrupted() const;
  bool over() const;
  std::string reason() const;
};

struct CheckOptions {
  Profile profile;
  SessionOptions session;
  RunLimits limits;
  std::string revision;    // head commit, for seeds
  std::string date;        // today, for seeds and expiry
  bool sanitizer = false;  // findings on `cuda` once more under compute-sanitizer
  /// Called the moment a finding exists, before anything else can go wrong.
  std::function<void(Finding&)> found;
  std::function<void()> entry_done;  // progress
  BaseKernel* base = nullptr;        // of the target that is checked; null: nothing to compare with
  Confirmers* confirmers = nullptr;  // of the target that is checked; null: none are kept
};

}  // namespace gate
