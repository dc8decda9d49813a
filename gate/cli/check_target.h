// Checks one (kernel, column): build, committed seeds, plan, findings, fixed-shape oracles, class.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/cli/replay_seed.h"
#include "gate/cli/target_plan.h"
#include "gate/report/coverage.h"

namespace gate {

/// What became of one selected entry.
struct EntryResult {
  std::string strategy;
  bool executed = false;
  Kind kind = Kind::not_checked;
  std::string text;
  int finding = -1;  // into TargetResult::findings; -1: none
};

struct TargetResult {
  Kind build = Kind::pass;
  std::string build_text;
  std::vector<EntryResult> entries;      // one per selected entry, in plan order
  std::vector<SeedResult> seeds;         // one per seed of the plan
  std::vector<int> seed_findings;        // per seed: index of its finding, -1: none
  std::vector<BaseAnswer> seed_answers;  // per seed: what the base's kernel does on it
  std::vector<Finding> findings;
  std::size_t groups_not_shrunk = 0;  // different failures beyond those that became findings
  std::vector<FixedShapeResult> fixed_shape;
  bool illusion_rule_passed = false;
  Class klass = Class::unchecked;
  Kind kind = Kind::pass;          // of the first finding, or the grey kind, or pass
  std::int64_t checked = 0;        // entries with a green or red verdict
  std::int64_t first_finding = 0;  // position of the first red entry, from 1; 0: none
  std::int64_t non_discriminating = 0, unjudgeable = 0;
  double largest_ratio = 0;
  std::map<std::string, std::int64_t> checked_by_strategy;
  std::map<std::string, double> seconds_by_strategy;
  Coverage coverage;
  std::string device_facts;  // JSON, as the worker told
  double seconds = 0, fixed_shape_seconds = 0;
};

TargetResult check_target(const TargetPlan& plan, const CheckOptions& options);

}  // namespace gate
